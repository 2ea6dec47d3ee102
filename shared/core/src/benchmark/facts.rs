//! What a benchmark declares of itself.

use super::*;
use crate::benchmark::verbatim::Verbatim;
use crate::metrics::metric;

pub type IntervalOver = fn(&Spec, &[&Summary]) -> Option<(f64, f64)>;

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
    pub bots: &'static [BotInfo],
    /// How a model is sampled in a seat by default; a model that may refuse it is sent no temperature and no top-p.
    pub sampling: fn(Setup<'_>, &Seat) -> Sampling,
    /// How the permits of a run are divided among its seats.
    pub permits: Permits,
    /// The default prompt pack, in our own wording.
    pub pack: fn() -> Pack,
    /// The pack in the paper's own wording, where the digests of that wording are known.
    pub verbatim: Option<&'static Verbatim>,
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
    /// Profiles and settings under which it is tested, a JSON list a line; empty: the usual ones of each profile.
    pub trials: &'static str,
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
    /// Labels that have a value of their own in nearly every task, so tasks are not chosen by them.
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
    pub tools: Option<fn() -> &'static Tools>,
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
    /// What a score of 1 is in the unit of that number.
    pub full_marks: f64,
    /// What [`Benchmark::compare`] adds, and for which runs, in a few words for help texts.
    pub compares: Option<&'static str>,
    /// What a reader of an episode knows and must not know to play on from it; `None` where it decides nothing.
    pub foreknown: Option<&'static str>,
    /// Why runs under a spec have no place on a board, as the rest of a sentence after "This run cannot be ranked: "; `None` where
    /// they have one.
    pub unranked: fn(&Spec) -> Option<&'static str>,
    /// Adds to settings that were chosen what a profile has where nothing was chosen, beside the usual values of the schema.
    pub preset: fn(Profile, &mut Map<String, Value>),
    /// Whether a setting decides anything under a profile beside those that are chosen, as far as the schema does not say it.
    pub is_offered: fn(&str, &Value, Profile) -> bool,
    /// Checks besides that a person who plays all its episodes one after the other, and remembers, learns from none of them
    /// what is still hidden in another. Live tables ask for it.
    ///
    /// # Errors
    /// The first part of the spec that would tell, and how to mend it.
    pub check_people: fn(&Spec) -> Result<(), BadSpec>,
    /// Checks that a spec is one of a run that begins its plays itself, and has nothing that only [`Facts::take_over`] may
    /// put there.
    ///
    /// # Errors
    /// What of it only a branch has.
    pub check_own: fn(&Spec) -> Result<(), BadSpec>,
    /// Whether what runs under two specs have in common can be compared at all.
    ///
    /// # Errors
    /// Why not.
    pub comparable: fn(&Spec, &Spec) -> Result<(), BadSpec>,
    /// The spec under which an episode that was begun under `parent` goes on with others in its seats
    /// ([`Run::branching`](crate::run::Run::branching)): the same but for the lineup, and for what keeps its tasks those of
    /// the episode where tasks follow from the lineup.
    ///
    /// # Errors
    /// Why it cannot go on from there.
    pub take_over: fn(&Spec, Lineup) -> Result<Spec, BadSpec>,
    /// Whose tasks a file has, where the digest of the authors' file is known: e.g. `not the authors' tasks`.
    pub provenance: fn(&[u8]) -> Option<String>,
    /// The same task by task, for a page that must not stand still over thousands of them; `None` where a file is read as a
    /// whole. Of a file that [`Benchmark::read_tasks`] reads, it gives the same tasks in the same order.
    pub read_task_by_task: for<'a> fn(&'a str, &'a [u8]) -> Option<TaskByTask<'a>>,
    /// The set of tasks that follows from a name alone; `None` if it is no such name.
    pub built_tasks: fn(&str) -> Option<BuiltTasks>,
    /// What an episode found of what there was to be found, call by call; with the texts of facts where the task is at hand.
    /// `None` where there is nothing of the kind.
    pub evidence: fn(&Transcript, Option<&Task>) -> Option<Evidence>,
    /// The results of a page, if what a seat was shown is one of this benchmark's pages.
    pub shown_results: fn(&str) -> Option<Vec<ShownResult>>,
    /// Under which key the answer to a request is the same for every episode of a run; `None` where each has its own. Such a
    /// request is sent once, and other episodes that ask the same meanwhile wait for that answer.
    pub shared_reply: fn(&Spec, &Ask, &Task) -> Option<Digest>,
    /// Under which key the reply to a call of a model stands for all runs; `None` where every run asks for itself. Such a call is
    /// answered once, and a run that makes it again, today or later, is given that answer. The key follows from what is sent and
    /// from nothing that a page could make up.
    pub cached_reply: fn(&Spec, &ModelCall) -> Option<Digest>,
    /// Whether what was said in a seat may stand for all runs. What cannot be read must not: it would be given again for ever.
    pub may_be_cached: fn(&Seat, &str) -> bool,
    /// What a task is called where its id is a code: a hand at a table, a match of two. By default readers see its id.
    pub task_name: fn(&Spec, &TaskRef) -> Option<String>,
    /// The 95 % interval of that number over some episodes of one run, where it is not that of [`crate::compare`].
    pub compared_interval: Option<IntervalOver>,
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
        verbatim: None,
        schema: Schema::NONE,
        flags: &[],
        profiles: &[Profile::Strict, Profile::Reference],
        other_profiles: "",
        scripted: |_, _| None,
        trials: "",
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
        full_marks: 1.0,
        compares: None,
        foreknown: None,
        unranked: |_| None,
        preset: |_, _| (),
        is_offered: |_, _, _| true,
        check_people: |_| Ok(()),
        check_own: |_| Ok(()),
        comparable: |_, _| Ok(()),
        take_over: |parent, seats| Ok(Spec { seats, ..parent.clone() }),
        provenance: |_| None,
        read_task_by_task: |_, _| None,
        built_tasks: |_| None,
        evidence: |_, _| None,
        shown_results: |_| None,
        shared_reply: |_, _, _| None,
        cached_reply: |_, _| None,
        may_be_cached: |_, _| true,
        task_name: |_, _| None,
        compared_interval: None,
    };

    /// The settings of a run under a profile as they were chosen, the others by default.
    pub fn settings(&self, profile: Profile, mut chosen: Map<String, Value>) -> Value {
        (self.preset)(profile, &mut chosen);
        self.schema.completed(&chosen.into())
    }

    /// The values that a spec sweeps over: every task of its file is played at each of them ([`crate::sweep`]). None where
    /// the spec does not sweep, or the benchmark makes its tasks of the spec anyway.
    pub fn points(&self, spec: &Spec) -> Vec<Point> {
        self.schema.points(&spec.settings)
    }
}
