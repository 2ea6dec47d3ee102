//! What a benchmark's [`Facts`] say, asked of the benchmark.

use super::*;
use crate::benchmark::verbatim::Verbatim;

macro_rules! facts {
    ($($name:ident: $fact:ty,)*) => {
        $(
            #[doc = concat!("[`Facts::", stringify!($name), "`].")]
            pub fn $name(&self) -> $fact {
                self.facts().$name
            }
        )*
    };
}

macro_rules! functions {
    ($($name:ident($($given:ident: $of:ty),*) -> $out:ty,)*) => {
        $(
            #[doc = concat!("[`Facts::", stringify!($name), "`].")]
            pub fn $name(&self, $($given: $of),*) -> $out {
                (self.facts().$name)($($given),*)
            }
        )*
    };
}

#[expect(clippy::missing_errors_doc, reason = "the fields of `Facts` say when a function fails")]
impl<'a> dyn Benchmark + 'a {
    facts! {
        name: &'static str,
        title: &'static str,
        about: &'static str,
        protocol: u32,
        seats: &'static [SeatInfo],
        participants: Option<(u32, u32)>,
        verbatim: Option<&'static Verbatim>,
        schema: Schema,
        flags: &'static [Flag],
        profiles: &'static [Profile],
        permits: Permits,
        task_source: TaskSource,
        file_format: &'static str,
        official_files: &'static [&'static str],
        identifying_labels: &'static [&'static str],
        sample_corpus: Option<&'static str>,
        sample_web: Option<&'static str>,
        search_results: u32,
        sealing: Option<&'static dyn Sealing>,
        people: Option<&'static People>,
        formats: Formats,
        boards: Option<&'static Boards>,
        grading_seats: &'static [&'static str],
        legend: Legend,
        bots: &'static [BotInfo],
        reference_field: Option<&'static str>,
        metrics: &'static [Section],
        reports_either_profile: bool,
        compared_by: &'static Metric,
        foreknown: Option<&'static str>,
        compares: Option<&'static str>,
    }

    functions! {
        pack() -> Pack,
        verdict(profile: Profile, ask: &Ask, reply: &str) -> Option<String>,
        scripted(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String>,
        measure(play: &Transcript, grading: Option<&Transcript>) -> Measured,
        unranked(spec: &Spec) -> Option<&'static str>,
        check_people(spec: &Spec) -> Result<(), BadSpec>,
        check_own(spec: &Spec) -> Result<(), BadSpec>,
        comparable(one: &Spec, other: &Spec) -> Result<(), BadSpec>,
        take_over(parent: &Spec, seats: Lineup) -> Result<Spec, BadSpec>,
        provenance(bytes: &[u8]) -> Option<String>,
        built_tasks(name: &str) -> Option<BuiltTasks>,
        evidence(play: &Transcript, task: Option<&Task>) -> Option<Evidence>,
        shown_results(shown: &str) -> Option<Vec<ShownResult>>,
        shared_reply(spec: &Spec, ask: &Ask, task: &Task) -> Option<Digest>,
        cached_reply(spec: &Spec, call: &ModelCall) -> Option<Digest>,
        may_be_cached(seat: &Seat, text: &str) -> bool,
        task_name(spec: &Spec, task: &TaskRef) -> Option<String>,
    }

    /// Makes a pack of a user's templates, by name; what is missing is taken from the default pack. It is called
    /// [`Verbatim::name`] if it is the paper's, else `name` and the beginning of its digest.
    pub fn import_pack(&self, name: &str, templates: &BTreeMap<String, String>) -> ImportedPack {
        match self.verbatim() {
            Some(verbatim) => verbatim.import(name, templates),
            None => ImportedPack::over(self.pack(), name, templates),
        }
    }

    /// Checks that a pack is what its name says.
    pub fn check_pack(&self, pack: &Pack) -> Result<(), BadSpec> {
        self.verbatim().map_or(Ok(()), |verbatim| verbatim.check(pack))
    }

    /// [`Facts::read_task_by_task`].
    pub fn read_task_by_task<'b>(&self, name: &'b str, bytes: &'b [u8]) -> Option<TaskByTask<'b>> {
        (self.facts().read_task_by_task)(name, bytes)
    }

    /// [`Facts::tools`].
    pub fn tools(&self) -> Option<&'static Tools> {
        self.facts().tools.map(|tools| tools())
    }

    /// The default settings of a run.
    pub fn default_settings(&self) -> Value {
        (self.facts().schema.defaults)()
    }
    /// [`Facts::settings`].
    pub fn settings(&self, profile: Profile, chosen: Map<String, Value>) -> Value {
        self.facts().settings(profile, chosen)
    }

    /// [`Facts::points`].
    pub fn points(&self, spec: &Spec) -> Vec<Point> {
        self.facts().points(spec)
    }

    /// Whether a setting decides anything beside those that are chosen; a form leaves out what does not.
    pub fn is_offered(&self, setting: &str, chosen: &Value, profile: Profile) -> bool {
        (self.facts().is_offered)(setting, chosen, profile)
            && self.facts().schema.binds(setting, chosen)
    }
    /// Settings as a board counts them: those that bind nothing are what they are by default, so that they divide no boards.
    pub fn binding_settings(&self, settings: &Value) -> Value {
        let mut settings = self.facts().schema.binding(settings);
        if let (false, Value::Object(settings)) = (self.reads_tasks(), &mut settings) {
            settings.remove(Spec::NAMES);
        }
        settings
    }
    /// How a model is sampled in a seat by default.
    pub fn default_sampling(&self, setup: Setup<'_>, seat: &Seat, model: &str) -> Sampling {
        let usual = (self.facts().sampling)(setup, seat);
        match Sampling::is_refused_by(model) {
            true => Sampling { temperature: None, top_p: None, ..usual },
            false => usual,
        }
    }
    /// Checks that a spec is one of this benchmark.
    ///
    /// # Errors
    /// If it names another.
    pub fn check_name(&self, spec: &Spec) -> Result<(), BadSpec> {
        if spec.benchmark == self.name() {
            return Ok(());
        }
        Err(BadSpec::new(
            "benchmark",
            format!("expected {}, got {:?}", self.name(), spec.benchmark),
        ))
    }
    /// Checks a spec that is to be played: that it is one of this benchmark, that each setting holds what the benchmark accepts, and
    /// that no seat is empty.
    ///
    /// # Errors
    /// The first part of it that cannot be run, and how to mend it.
    pub fn check_spec(&self, spec: &Spec) -> Result<(), BadSpec> {
        self.check_name(spec)?;
        check_seats(self, spec)?;
        if spec.is_imported() {
            return self.check(spec);
        }
        if !self.profiles().contains(&spec.profile) {
            let names: Vec<_> = self.profiles().iter().map(|profile| profile.name()).collect();
            let why = match self.facts().other_profiles {
                "" => String::new(),
                why => format!(": {why}"),
            };
            let problem = format!(
                "{} cannot be run in {}{why}; use {}",
                self.name(),
                spec.profile.name(),
                names.join(" or ")
            );
            return Err(BadSpec::new("profile", problem));
        }
        self.schema().check(&spec.settings)?;
        self.check(spec)
    }
}
