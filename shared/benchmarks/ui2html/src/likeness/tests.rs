use turnwise_core::layout::{Block, Colour, Layout};

use super::Likeness;

const WORDS: [&str; 6] = [
    "Sign in",
    "登录到您的帐户",
    "مرحبا بالعالم",
    "Price: 12.50",
    "",
    "A longer paragraph of the page",
];

fn page(kind: u32) -> Layout {
    let count = 10 + 9 * kind;
    let blocks = (0..count).map(|at| Block {
        left: (40 + (at * 97 + kind * 31) % 1_000) as i32,
        top: (20 + at * 46) as i32,
        width: 90 + (at * 53 + kind * 17) % 220,
        height: 18 + (at * 7) % 30,
        font: 16,
        colour: Colour([(at * 37 % 200) as u8, 40, (kind * 50) as u8]),
        background: Colour([255, 255 - (at * 11 % 90) as u8, 255]),
        text: match WORDS[(at + kind) as usize % WORDS.len()] {
            "" => String::new(),
            words => format!("{words} {}", char::from(b'a' + (at * 7 % 26) as u8)),
        },
    });
    Layout { width: 1_280, height: 40 + count * 46, blocks: blocks.collect() }
}

fn pages() -> Vec<Layout> {
    (0..5).map(page).collect()
}

fn empty(page: &Layout) -> Layout {
    Layout { blocks: Vec::new(), ..page.clone() }
}

/// A page with so many tenths of damage done to it.
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
        each_block(page, |block| block.background.0[0] -= 25 * grade as u8);
    }),
    ("letters", |page, grade| {
        each_block(page, |block| {
            let length = block.text.chars().count();
            let changed = (length * grade as usize).div_ceil(10);
            let letters = block.text.chars().enumerate();
            block.text = letters.map(|(at, was)| if at < changed { '§' } else { was }).collect();
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
fn a_page_is_like_itself_and_an_empty_one_like_nothing() {
    for page in pages() {
        assert_eq!(Likeness::of(&page, &page), Likeness::EQUAL);
        assert_eq!(Likeness::of(&page, &empty(&page)).likeness, 0.0);
        assert_eq!(Likeness::of(&empty(&page), &page).likeness, 0.0);
        assert_eq!(Likeness::of(&empty(&page), &empty(&page)), Likeness::EQUAL);
    }
}

#[test]
fn every_damage_costs_more_at_each_grade() {
    for (kind, damage) in DAMAGES {
        for (at, page) in pages().into_iter().enumerate() {
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
fn whoever_comes_first_blocks_are_matched_the_same() {
    let (small, large) = (page(0), page(2));
    let mut turned = large.clone();
    turned.blocks.reverse();
    assert_eq!(Likeness::of(&small, &large), Likeness::of(&small, &turned));
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
