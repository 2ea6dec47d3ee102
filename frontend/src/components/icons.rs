//! Icons from the one sheet that the server sends.

use crate::prelude::*;

/// An icon of 20 pixels, or of 16 where `small`; the text beside it says what it means.
#[component]
pub fn Icon(
    /// Its name in the sheet, without `i-`.
    name: &'static str,
    #[prop(optional)] size: IconSize,
) -> impl IntoView {
    let class = match size {
        IconSize::Normal => "icon",
        IconSize::Small => "icon icon-small",
    };
    view! {
        <svg class=class aria-hidden="true">
            <use href=format!("/icons.svg#i-{name}")></use>
        </svg>
    }
}

/// How large an icon is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IconSize {
    /// 20 pixels.
    #[default]
    Normal,
    /// 16 pixels.
    Small,
}
