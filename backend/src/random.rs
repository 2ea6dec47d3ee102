//! Chance for ids, tokens and waits. Nothing that a transcript records comes from here.

/// `N` random bytes.
///
/// # Panics
/// If the operating system has none to give; nothing secret can be made then.
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// A number in `0..1`.
pub fn fraction() -> f64 {
    f64::from(u32::from_le_bytes(bytes())) / (f64::from(u32::MAX) + 1.0)
}
