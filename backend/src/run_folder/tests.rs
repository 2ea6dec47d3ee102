use std::io;

use super::*;

fn temporary() -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let path = std::env::temp_dir().join(format!(
        "turnwise-folder-{}-{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    ));
    fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn lines_are_appended_in_order_and_cut_where_told() {
    let path = temporary();
    let mut folder = RunFolder::take_up(&path).unwrap();
    let key = EpisodeKey::play(&"7".into(), 1);
    let file = path.join(key.file_name());
    folder.append(&key, 0, &["a".into(), "b".into(), "c".into()]).unwrap();
    assert!(matches!(
        folder.append(&key, 1, &["x".into()]),
        Err(FolderError::Gap { has: 3, from: 1, .. })
    ));
    folder.append(&key, 3, &["d".into()]).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "a\nb\nc\nd\n");
    folder.keep(&key, 2).unwrap();
    folder.append(&key, 2, &["e".into()]).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "a\nb\ne\n");
    // A half-written line goes, a whole one without its line break gets it.
    fs::write(&file, "a\nb\n{\"ch").unwrap();
    folder.keep(&key, 2).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "a\nb\n");
    fs::write(&file, "a\nb").unwrap();
    folder.keep(&key, 2).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "a\nb\n");
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn a_folder_has_one_driver() {
    let path = temporary();
    let first = RunFolder::take_up(&path).unwrap();
    assert!(matches!(RunFolder::take_up(&path), Err(FolderError::Busy(_))));
    drop(first);
    RunFolder::take_up(&path).unwrap();
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn plays_stand_before_gradings_and_numbers_in_order() {
    let path = temporary();
    for name in
        ["10.r1.play", "2.r1.grading", "2.r1.play", "x_a.r1.play", "2.r10.play", "2.r9.play"]
    {
        fs::write(path.join(format!("{name}.jsonl")), "").unwrap();
    }
    fs::write(path.join(TIMING_FILE), "").unwrap();
    let names: Vec<_> = transcript_files(&path)
        .unwrap()
        .iter()
        .map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        ["x_a.r1.play", "2.r1.play", "2.r9.play", "2.r10.play", "10.r1.play", "2.r1.grading"]
    );
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn a_full_disk_is_told_with_what_can_be_done_about_it() {
    let path = temporary();
    let full = || io::Error::from(io::ErrorKind::StorageFull);
    let said = |file: &str| at(&path.join(file))(full()).to_string();
    for file in [TASKS_FILE, PACK_FILE, "run.json.part", TIMING_FILE] {
        let said = said(file);
        assert!(said.contains("give the same command again"), "{said}");
        assert!(!said.contains("--resume"), "{said}");
    }
    let folder = at(&path)(full()).to_string();
    assert!(folder.contains("give the same command again"), "{folder}");
    fs::write(path.join(RUN_FILE), "{}").unwrap();
    assert!(said("1.r1.play.jsonl").contains("go on with --resume"));
    let denied = at(&path)(io::ErrorKind::PermissionDenied.into()).to_string();
    assert!(!denied.contains("make room"), "{denied}");
    fs::remove_dir_all(path).unwrap();
}
