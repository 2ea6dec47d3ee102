//! Makes the words of benchmarks' screens from the TOML files beside them.

#[path = "view/catalogue.rs"]
mod catalogue;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    catalogue::generate("src/benchmarks")
}
