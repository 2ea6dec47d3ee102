//! The owner key of this browser: runs that it opens are counted under it, so that boards can show how many an owner opened and how
//! many of them are published. It is a secret; only its digest is published. It can be carried to another browser.

use turnwise_shared::hash::hex;

use crate::keep;

/// Where it lies in local storage.
const KEY: &str = "turnwise-owner-key";

/// The key; made at its first use. `None` in a browser that has no chance to give or keeps nothing.
pub fn key() -> Option<String> {
    if let Some(kept) = keep::recall(KEY).filter(|kept| is_sound(kept)) {
        return Some(kept);
    }
    let mut bytes = [0_u8; 32];
    web_sys::window()?.crypto().ok()?.get_random_values_with_u8_array(&mut bytes).ok()?;
    let made = hex(&bytes);
    keep::remember(KEY, Some(&made));
    Some(made)
}

/// Takes the key of another browser in the place of this one's; says whether it is one.
pub fn take(text: &str) -> bool {
    let text = text.trim();
    let sound = is_sound(text);
    if sound {
        keep::remember(KEY, Some(text));
    }
    sound
}

fn is_sound(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
