use turnwise_core::layout::{Block, Colour, Layout};
use turnwise_core::prelude::*;

use super::Likeness;
use crate::Ui2Html;
use crate::tasks::field;

/// The layouts of our own pages.
fn pages() -> Vec<Layout> {
    let tasks = Ui2Html.samples().tasks.into_iter();
    tasks.map(|task| task.fields[field::LAYOUT].parse().expect("a layout")).collect()
}

/// A page of at least ten blocks: one with fewer stands below itself until there are enough.
fn repeated(mut page: Layout) -> Layout {
    while page.blocks.len() < 10 {
        let high = page.height.cast_signed();
        let below =
            page.blocks.clone().into_iter().map(|block| Block { top: block.top + high, ..block });
        page.blocks.extend(below);
        page.height *= 2;
    }
    page
}

fn empty(page: &Layout) -> Layout {
    Layout { blocks: Vec::new(), ..page.clone() }
}

/// Damages a page; the grade is in tenths.
type Damage = fn(&mut Layout, u32);

fn each_block(page: &mut Layout, change: impl FnMut(&mut Block)) {
    page.blocks.iter_mut().for_each(change);
}

const DAMAGES: [(&str, Damage); 5] = [
    ("moved", |page, grade| each_block(page, |block| block.left += 12 * grade as i32)),
    ("vanished", |page, grade| {
        let keep = page.blocks.len() * (10 - grade as usize) / 10;
        page.blocks.truncate(keep);
    }),
    ("recoloured", |page, grade| {
        each_block(page, |block| {
            let red = &mut block.background.0[0];
            *red = if *red < 128 { *red + 12 * grade as u8 } else { *red - 12 * grade as u8 };
        });
    }),
    ("letters", |page, grade| {
        let all: usize = page.blocks.iter().map(|block| block.text.chars().count()).sum();
        let mut left = all * grade as usize / 10;
        each_block(page, |block| {
            let changed = |was| {
                let is_changed = left > 0;
                left = left.saturating_sub(1);
                if is_changed { '§' } else { was }
            };
            block.text = block.text.chars().map(changed).collect();
        });
    }),
    ("scaled", |page, grade| {
        each_block(page, |block| {
            block.width += block.width * grade / 10;
            block.height += block.height * grade / 10;
        });
    }),
];

#[test]
fn a_page_is_like_itself_unlike_others_and_an_empty_one_like_nothing() {
    for page in pages() {
        assert_eq!(Likeness::of(&page, &page), Likeness::EQUAL);
        assert_eq!(Likeness::of(&page, &empty(&page)).likeness, 0.0);
        assert_eq!(Likeness::of(&empty(&page), &page).likeness, 0.0);
        assert_eq!(Likeness::of(&empty(&page), &empty(&page)), Likeness::EQUAL);
    }
    let pages = pages();
    for (at, page) in pages.iter().enumerate() {
        for other in &pages[at + 1..] {
            let found = Likeness::of(page, other).likeness;
            assert!(found < 0.25, "{found}: {page} and {other}");
        }
    }
}

#[test]
fn every_damage_costs_more_at_each_grade() {
    for (kind, damage) in DAMAGES {
        for (at, page) in pages().into_iter().map(repeated).enumerate() {
            let mut before = 1.0;
            for grade in 1..=10 {
                let mut damaged = page.clone();
                damage(&mut damaged, grade);
                let now = Likeness::of(&page, &damaged).likeness;
                assert!(now < before, "{kind} {grade} of page {at}: {now} after {before}");
                before = now;
            }
        }
    }
}

#[test]
fn the_order_of_blocks_does_not_matter() {
    let (small, large) = (&pages()[0], &pages()[3]);
    let mut turned = large.clone();
    turned.blocks.reverse();
    assert_eq!(Likeness::of(small, large), Likeness::of(small, &turned));
}

#[test]
fn the_parts_are_means_over_matched_blocks() {
    let block = |left, text: &str| Block {
        left,
        top: 0,
        width: 100,
        height: 10,
        font: 10,
        colour: Colour([0, 0, 0]),
        background: Colour([255, 255, 255]),
        text: text.to_owned(),
    };
    let page = |blocks| Layout { width: 1_000, height: 100, blocks };
    let target = page(vec![block(0, "one block"), block(500, "second")]);
    let mut far = block(100, "one block");
    far.colour = Colour([255, 255, 255]);
    let found = Likeness::of(&target, &page(vec![far]));
    // 2,000 of 3,000 square pixels are matched, a tenth of the page apart, in the farthest colours.
    assert!((found.block_match - 2.0 / 3.0).abs() < 1e-9, "{found:?}");
    assert_eq!(found.text, 1.0);
    assert!((found.position - 0.9).abs() < 1e-9, "{found:?}");
    assert!(found.colour < 1e-3, "{found:?}");
    assert!(found.likeness < 1e-3, "{found:?}");
}
