//! Makes constants and functions of the texts that TOML files declare; for the build scripts of the web app.
//!
//! - `title = "Text"` is a constant, and so is a list; a row of a list that mixes texts and lists is a tuple.
//! - `open = "Open {name}"` is a function. `{n:count}` shows a parameter by a function of `metrics::number`, `{n:line|lines}` counts
//!   something, and `{n|is|are}` is a word that follows a count.
//! - A table chooses by a parameter, which follows the name: `[end.answer]`. It is an enum where it has a capital, and else, by the
//!   keys, a condition (`true`), an option (`None`), a count (patterns of numbers) or a word. `_` is everything else; a word that is
//!   not listed has no text where there is no `_`. Instead of a text, a key may have a table again.
//!
//! Parameters have the order of the texts, unless the key names it: `"end(answer, n)"`. Those that are chosen by and not shown are last.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use toml::{Table, Value};

const NUMBER: &str = "::turnwise_shared::metrics::number";
const COUNT: &str = "impl TryInto<u64>";

/// Writes into `OUT_DIR` the items of each TOML file of the folder.
pub fn generate(folder: &str) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={folder}");
    convert(folder.as_ref(), env::var("OUT_DIR")?.as_ref())
}

fn convert(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            convert(&path, &to)?;
        } else if path.extension().is_some_and(|kind| kind == "toml") {
            let texts: Table = toml::from_str(&fs::read_to_string(&path)?)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let items = texts.iter().map(|(key, text)| match is_fixed(text) && !text.is_table() {
                true => constant(key, text),
                false => function(key, text),
            });
            fs::write(to.with_extension("rs"), items.collect::<Vec<_>>().join("\n"))?;
        }
    }
    Ok(())
}

fn constant(key: &str, text: &Value) -> String {
    let texts = text.as_array().map(|texts| texts.iter().map(Value::as_str));
    let (kind, value) = match texts.and_then(Iterator::collect::<Option<Vec<_>>>) {
        Some(texts) => (format!("[&str; {}]", texts.len()), format!("{texts:?}")),
        None => fixed(text, false),
    };
    format!("#[allow(clippy::type_complexity)] pub const {}: {kind} = {value};", key.to_uppercase())
}

/// The type and the expression of what does not change. The lists in a list are its rows.
fn fixed(text: &Value, is_row: bool) -> (String, String) {
    let Value::Array(parts) = text else {
        return ("&str".to_owned(), format!("{:?}", said(text)));
    };
    let parts = parts.iter().map(|part| fixed(part, !is_row));
    let (kinds, values): (Vec<_>, Vec<_>) = parts.unzip();
    let values = values.join(", ");
    match is_row {
        true => (format!("({})", kinds.join(", ")), format!("({values})")),
        false => (format!("&[{}]", kinds[0]), format!("&[{values}]")),
    }
}

/// What a text says; the compiler refuses a catalogue with anything else in its place.
fn said(text: &Value) -> &str {
    text.as_str().unwrap_or_else(|| panic!("{text} is no text"))
}

/// Whether nothing is filled in.
fn is_fixed(text: &Value) -> bool {
    match text {
        Value::String(text) => text.split('{').skip(1).all(|piece| placeholder(piece).is_none()),
        Value::Table(table) => table.values().all(is_fixed),
        _ => true,
    }
}

/// The name, the form and what follows of a placeholder, from behind its brace.
fn placeholder(piece: &str) -> Option<(&str, &str, &str)> {
    let (inside, rest) = piece.split_once('}')?;
    let (name, form) = inside.split_at(inside.find([':', '|']).unwrap_or(inside.len()));
    let is_name = name.starts_with(|first: char| first.is_ascii_lowercase());
    (is_name && !name.contains(' ')).then_some((name, form, rest))
}

fn function(key: &str, text: &Value) -> String {
    let (name, order) = key.trim_end_matches(')').split_once('(').unwrap_or((key, ""));
    let mut made = Function { is_fixed: is_fixed(text), ..Function::default() };
    order.split(", ").filter(|name| !name.is_empty()).for_each(|name| made.takes(name, ""));
    let body = made.expression(text);
    let mut head = Vec::new();
    let mut counts = String::new();
    for Parameter { name, kind, is_option } in made.parameters {
        let kind = if kind.is_empty() { "impl ::std::fmt::Display".to_owned() } else { kind };
        match (is_option, kind == COUNT) {
            (true, true) => counts += &format!("let {name} = {name}.map({NUMBER}::whole);"),
            (false, true) => counts += &format!("let {name} = {NUMBER}::whole({name});"),
            _ => {}
        }
        head.push(match is_option {
            true => format!("{name}: Option<{kind}>"),
            false => format!("{name}: {kind}"),
        });
    }
    let result = if made.is_fixed { "&'static str" } else { "String" };
    let result = if made.may_lack { format!("Option<{result}>") } else { result.to_owned() };
    format!("pub fn {name}({}) -> {result} {{ {counts} {body} }}", head.join(", "))
}

#[derive(Default)]
struct Function {
    parameters: Vec<Parameter>,
    /// What the pattern of a case names.
    bound: Vec<String>,
    is_fixed: bool,
    may_lack: bool,
}

struct Parameter {
    name: String,
    /// Empty for what is only shown.
    kind: String,
    is_option: bool,
}

impl Function {
    fn takes(&mut self, name: &str, kind: &str) {
        if self.bound.iter().any(|bound| bound == name) {
            return;
        }
        match self.parameters.iter_mut().find(|parameter| parameter.name == name) {
            Some(parameter) if !kind.is_empty() => parameter.kind = kind.to_owned(),
            Some(_) => {}
            None => self.parameters.push(Parameter {
                name: name.to_owned(),
                kind: kind.to_owned(),
                is_option: false,
            }),
        }
    }

    fn expression(&mut self, text: &Value) -> String {
        match text {
            Value::Table(choice) => {
                choice.iter().map(|(by, cases)| self.choice(by, cases.as_table())).collect()
            }
            text if self.is_fixed => format!("{:?}", said(text)),
            text if is_fixed(text) => format!("{:?}.to_owned()", said(text)),
            text => self.filled(said(text)),
        }
    }

    fn filled(&mut self, text: &str) -> String {
        let mut pieces = text.split('{');
        let mut format = pieces.next().unwrap_or_default().to_owned();
        let mut values = String::new();
        for piece in pieces {
            let Some((name, form, rest)) = placeholder(piece) else {
                format += &format!("{{{{{}", piece.replace('}', "}}"));
                continue;
            };
            let kind = match form {
                "" => "",
                ":dollars" | ":rough_dollars" => "f64",
                _ => COUNT,
            };
            self.takes(name, kind);
            let words = form.get(1..).and_then(|words| words.split_once('|'));
            format += &match form {
                "" => format!("{{{name}}}"),
                _ => "{}".to_owned(),
            };
            format += &rest.replace('}', "}}");
            values += &match words {
                None if form.is_empty() => String::new(),
                None => format!(", {NUMBER}::{}({name})", &form[1..]),
                Some((one, many)) if form.starts_with(':') => {
                    format!(", {NUMBER}::counted({name}, {one:?}, {many:?})")
                }
                Some((one, many)) => {
                    format!(", if {name} == 1 {{ {one:?} }} else {{ {many:?} }}")
                }
            };
        }
        // What shows one parameter and nothing else is that.
        let name =
            format.strip_prefix('{').and_then(placeholder).filter(|(.., rest)| rest.is_empty());
        match (name, values.strip_prefix(", ")) {
            (Some((name, ..)), None) => format!("{name}.to_string()"),
            (_, Some(value)) if format == "{}" && value.starts_with("::") => value.to_owned(),
            _ => format!("format!({format:?}{values})"),
        }
    }

    fn choice(&mut self, by: &str, cases: Option<&Table>) -> String {
        let Some(cases) = cases else {
            return format!("compile_error!(\"{by} has no texts to choose from\")");
        };
        let (by, is_optional) = by.strip_suffix('?').map_or((by, false), |by| (by, true));
        let name = by.to_lowercase();
        let is_option = is_optional || name == by && cases.contains_key("None");
        let is_number = |case: &String| {
            case.trim_start_matches("Some(").starts_with(|first: char| first.is_ascii_digit())
        };
        let kind = match cases.contains_key("true") {
            _ if name != by => by,
            true => "bool",
            false if cases.keys().any(is_number) => COUNT,
            false if is_option => "",
            false => "&str",
        };
        let lacks = kind == "&str" && !cases.contains_key("_");
        self.may_lack |= lacks;
        let arms = cases.iter().map(|(case, text)| {
            let pattern = |one: &str| match one {
                "_" => one.to_owned(),
                "None" if is_option => one.to_owned(),
                "Some" => format!("Some({name})"),
                one if kind == "&str" => format!("{one:?}"),
                one if kind == by && is_option => format!("Some({by}::{one})"),
                one if kind == by => format!("{by}::{one}"),
                one => one.to_owned(),
            };
            let patterns: Vec<_> = case.split(" | ").map(pattern).collect();
            let fields = case.trim_end_matches(')').split_once('(').filter(|_| kind == by);
            self.bound = fields
                .map(|(_, all)| all.split(", ").map(str::to_owned).collect())
                .unwrap_or_default();
            let text = self.expression(text);
            self.bound.clear();
            let text = if lacks { format!("Some({text})") } else { text };
            format!("{} => {text},", patterns.join(" | "))
        });
        let mut arms: String = arms.collect();
        if lacks {
            arms += "_ => None,";
        }
        self.takes(&name, kind);
        self.parameters
            .iter_mut()
            .filter(|parameter| parameter.name == name)
            .for_each(|parameter| parameter.is_option = is_option);
        format!("match {name} {{ {arms} }}")
    }
}
