//! What a benchmark declares of itself.

use super::*;
use crate::metrics::metric;

/// The seats, texts, lists and plain functions of a benchmark. Those without a default that works are `name`, `title`, `about`,
/// `protocol`, `seats`, `pack`, `bots`, `measure` and `report`; a facet that is absent is not offered for the benchmark, anywhere.
///
/// ```ignore
/// const FACTS: Facts = Facts { name: "my_benchmark", title: "My Benchmark", ..Facts::USUAL };
/// ```
#[derive(Clone, Copy)]
pub struct Facts {
    /// The name in specs, files and addresses, e.g. `my_benchmark`.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What it measures, in one or two sentences for readers who do not know the paper.
    pub about: &'static str,
    /// The version of the protocol. It changes whenever an old transcript would replay differently.
    pub protocol: u32,
    /// The first is the one under evaluation. Where participants are numbered, these are those of the default lineup.
    pub seats: &'static [SeatInfo],
    /// How many participants a lineup may have, where they are numbered `1` to `n`: fewest and most. `None` = the seats are
    /// those of `seats`, each with a part of its own.
    pub participants: Option<(u32, u32)>,
    /// Built-in players, by seat.
    pub bots: &'static [BotInfo],
    /// How a model is sampled in a seat when nobody chose; a model that may refuse it is sent no temperature and no top-p.
    pub sampling: fn(Setup<'_>, &Seat) -> Sampling,
    /// How the permits of a run are divided among its seats.
    pub permits: Permits,
    /// The default prompt pack, in our own wording.
    pub pack: fn() -> Pack,
    /// The name of a pack in the paper's own wording, where the digests of that wording are known. No other pack may have it.
    pub verbatim_pack: Option<&'static str>,
    /// Each setting is a field of the form of a new run and a flag of the command line. A setting of the name of a flag that all
    /// benchmarks have gets no flag of its own.
    pub schema: Schema,
    /// Flags of the command line besides those of the settings. They are applied before those, in this order; one of the name of a
    /// setting takes its place.
    pub flags: &'static [Flag],
    /// The profiles in which it can be run, the default first. One without authors' code has [`Profile::Strict`] alone.
    pub profiles: &'static [Profile],
    /// Why it cannot be run in the others, as a clause; empty where there is no more to say.
    pub other_profiles: &'static str,
    /// What a model of the provider `scripted` replies to a request of this benchmark, for trials without a key; `None` if the
    /// request is not recognised as one of this benchmark.
    pub scripted: fn(&Prompt<'_>, &mut Dice<'_>) -> Option<String>,
    pub task_source: TaskSource,
    /// What its task files look like, in a sentence or two for people who have one.
    pub file_format: &'static str,
    /// Digests of the authors' task files, in hexadecimal digits.
    pub official_files: &'static [&'static str],
    /// The file of the tasks that come with the product, where tasks are read from a file.
    pub samples: &'static [u8],
    /// Documents for a search engine over the samples, JSON Lines of `id`, `title` and `text`; `None` where nothing is searched.
    pub sample_corpus: Option<&'static str>,
    /// The pages of the built-in web over which the samples are played, as the service reads them (`sample_web`). Absent in the app,
    /// which asks the server for the archive.
    pub sample_web: Option<&'static str>,
    /// How many results a search brings.
    pub search_results: u32,
    /// Labels that nearly every task has a value of its own of: nobody chooses tasks by them.
    pub identifying_labels: &'static [&'static str],
    /// The field of a task with the reference answer, where there is one; readers see it beside the answer that was given.
    pub reference_field: Option<&'static str>,
    /// The seats that grade. Plays may be graded again by others; their numbers remain those of the episode's spec.
    pub grading_seats: &'static [&'static str],
    /// What the reply to a request comes to under a profile, where the seat judges: a word of a closed list, or a number, and never
    /// text of a hidden field. Replies of one verdict mean the same. `None` of a reply that cannot be read, and of other seats.
    pub verdict: fn(Profile, &Ask, &str) -> Option<String>,
    /// How it is played over tasks whose hidden fields stay on the server.
    pub sealing: Option<&'static dyn Sealing>,
    /// Commands that it adds to the command line.
    pub tools: Option<&'static Tools>,
    /// How people play it.
    pub people: Option<&'static People>,
    /// Files of other systems that it reads and writes.
    pub formats: Formats,
    pub boards: Option<&'static Boards>,
    /// What the signs of its ribbons mean.
    pub legend: Legend,
    /// The benchmark's own numbers of one episode, from its transcript and that of its grading.
    pub measure: fn(&Transcript, Option<&Transcript>) -> Measured,
    /// The numbers of a run, without spending, times and unread replies, which [`Benchmark::report`] adds.
    pub report: fn(&Spec, &[&Summary], &MeasureOptions) -> Report,
    /// The numbers of its reports, by where they are shown; those that are shown first are in the section
    /// [`HEADLINE`](metric::HEADLINE).
    pub metrics: &'static [Section],
    /// Whether the numbers of a run can be taken by either profile, whichever it was played in: where a profile's numbers follow
    /// from the same notes. Elsewhere replies would have to be read anew (ARCHITECTURE.md, rule 6).
    pub reports_either_profile: bool,
    /// By which number runs are compared ([`crate::compare`]); larger is better.
    pub compared_by: &'static Metric,
    /// What [`Benchmark::compare`] adds, and for which runs, in a few words for help texts.
    pub compares: Option<&'static str>,
    /// What a reader of an episode knows and must not know to play on from it; `None` where it decides nothing.
    pub foreknown: Option<&'static str>,
}

impl Facts {
    /// A benchmark over task files that declares nothing.
    pub const USUAL: Facts = Facts {
        name: "",
        title: "",
        about: "",
        protocol: 1,
        seats: &[],
        participants: None,
        bots: &[],
        sampling: |_, _| Sampling::default(),
        permits: Permits::Shared,
        pack: || Pack { name: String::new(), templates: BTreeMap::new() },
        verbatim_pack: None,
        schema: Schema::NONE,
        flags: &[],
        profiles: &[Profile::Strict, Profile::Reference],
        other_profiles: "",
        scripted: |_, _| None,
        task_source: TaskSource::File,
        file_format: "JSON Lines, a task each.",
        official_files: &[],
        samples: &[],
        sample_corpus: None,
        sample_web: None,
        search_results: USUAL_SEARCH_RESULTS,
        identifying_labels: &[],
        reference_field: Some(ANSWER_FIELD),
        grading_seats: &[Seat::GRADER],
        verdict: |_, _, _| None,
        sealing: None,
        tools: None,
        people: None,
        formats: Formats::NONE,
        boards: None,
        legend: Legend { signs: &[], letters: "" },
        measure: |_, _| Measured::default(),
        report: |_, _, _| Report::default(),
        metrics: &[],
        reports_either_profile: false,
        compared_by: &metric::ACCURACY,
        compares: None,
        foreknown: None,
    };
}
