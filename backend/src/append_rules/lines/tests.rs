use turnwise_shared::benchmark::default_spec;
use turnwise_shared::examples::MATCH;
use turnwise_shared::registry;
use turnwise_shared::spec::Spec;

use super::*;
use crate::config::{Config, Environment, Given};
use crate::store::tests::keep_run;
use crate::store::tests::long::LongPlay;

struct Trial {
    app: App,
    head: RunHead,
    episode: EpisodeKey,
}

impl Trial {
    async fn new(folder: &std::path::Path, spec: &Spec, play: &LongPlay) -> Self {
        let given = Given { addr: None, data: Some(folder.to_owned()) };
        let config = Config::load(given, &Environment::default()).expect("the defaults are sound");
        let app = App::open(config).await.expect("it opens");
        let run = RunId::new([7; 16]);
        keep_run(app.store(), run.clone(), spec.clone()).await;
        let head = app.store().run_head(&run).await.expect("it reads");
        Trial { app, head: head.expect("it is there"), episode: play.episode.clone() }
    }

    async fn put(&self, from: usize, lines: &[String]) -> Answer<u64> {
        let lines = lines.concat();
        let from = from as u64;
        let kept = store(&self.app, &self.head, &self.episode, from, &lines, None).await;
        kept.map(|kept| kept.stored.lines)
    }
}

#[tokio::test]
async fn lines_that_come_next_read_nothing_of_what_is_there() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let spec = default_spec(registry::find(MATCH).expect("it is one of ours"));
    let mut play = LongPlay::new(&spec, "1", 8_000);
    let trial = Trial::new(folder.path(), &spec, &play).await;
    let lines = play.lines(200);
    for (number, lots) in lines.chunks(50).enumerate() {
        let has = trial.put(number * 50, lots).await.expect("it goes on");
        assert_eq!(has as usize, number * 50 + lots.len());
    }
    let run = &trial.head.run;
    let spoil = async |bytes| trial.app.store().spoil_all_but(run, &trial.episode, bytes).await;
    let sent_twice = 190;
    let at = lines[..sent_twice].concat().len() as u64;
    let end = lines.concat().len() as u64;
    assert!(spoil(at..end).await > 3);
    let again = trial.put(sent_twice, &lines[sent_twice..]).await;
    assert_eq!(again.expect("it is there already"), 200);
    assert!(spoil(0..0).await > 3, "now everything is");
    let more = play.lines(3);
    assert_eq!(trial.put(200, &more).await.expect("it goes on"), 203);
    let gap = trial.put(300, &more).await.expect_err("a gap");
    assert_eq!(gap.error.code, "conflict");
}
