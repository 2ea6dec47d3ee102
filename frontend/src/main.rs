//! Turnwise in the browser: the program. What it does is in the library of this package.

fn main() {
    turnwise_frontend::start();
}
