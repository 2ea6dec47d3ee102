//! Makes the texts of the app from the TOML files beside `strings`.

mod catalogue;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    catalogue::generate("src/strings")
}
