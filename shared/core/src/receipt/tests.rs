//! Whatever is changed in receipts, batches or their order is noticed, and by its name.

use ed25519_dalek::{Signer as _, SigningKey};
use proptest::prelude::*;

use super::*;
use crate::effect::CallId;
use crate::hash::hex;
use crate::wire::receipts::{CallEnd, Endpoint, Host, ProvenReceipt};

fn signer(seed: u8) -> (SigningKey, PublishedKey) {
    let key = SigningKey::from_bytes(&[seed; 32]);
    let public = key.verifying_key().to_bytes();
    let published =
        PublishedKey { id: KeyId::of(&public), public: hex(&public), since: 1_000, until: None };
    (key, published)
}

fn run(seed: u8) -> RunId {
    RunId::new([seed; 16])
}

/// Receipts of two runs that take turns, in batches of a size; the page of the first run.
fn page(count: u64, size: usize) -> (ReceiptsPage, Vec<PublishedKey>) {
    let (key, published) = signer(9);
    let runs = [run(1), run(2)];
    let mut chains = runs.clone().map(|run| (0, beginning(&run)));
    let mut receipts = Vec::new();
    for turn in 0..count {
        let which = usize::from(turn % 3 == 2);
        let (number, previous) = &mut chains[which];
        *number += 1;
        let receipt = Receipt {
            key: published.id,
            run: runs[which].clone(),
            number: *number,
            previous: *previous,
            episode: "7.r1.play".parse().expect("a key"),
            call: CallId(u32::try_from(turn).expect("few")),
            asked: Digest::of("asked"),
            sent: Digest::of("sent"),
            came: CallEnd::Answer,
            reply: Digest::of(turn.to_le_bytes()),
            endpoint: Endpoint { name: "up".into(), format: "openai".into(), host: Host::BuiltIn },
            model: None,
            time: 2_000 + turn,
        };
        *previous = leaf(&receipt);
        receipts.push(receipt);
    }
    let leaves: Vec<Digest> = receipts.iter().map(leaf).collect();
    let mut page = ReceiptsPage::default();
    for (number, chunk) in leaves.chunks(size).enumerate() {
        let from = number * size;
        let mut batch = SignedBatch {
            key: published.id,
            from: from as u64,
            count: chunk.len() as u32,
            root: tree::root(chunk),
            time: 5_000,
            signature: String::new(),
        };
        batch.signature = hex(&key.sign(batch_text(&batch).as_bytes()).to_bytes());
        page.batches.push(batch);
        for (index, path) in tree::paths(chunk).into_iter().enumerate() {
            let receipt = receipts[from + index].clone();
            if receipt.run == runs[0] {
                page.receipts.push(ProvenReceipt { receipt, leaf: (from + index) as u64, path });
            }
        }
    }
    (page, vec![published])
}

fn read(page: &ReceiptsPage, keys: &[PublishedKey]) -> Result<usize, BadReceipts> {
    let mut book = Book::new(run(1), Keys::read(keys)?);
    book.add(page)?;
    Ok(book.receipts().len())
}

proptest! {
    // Signatures take their time without optimisation.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_leaf_leads_to_the_root_and_no_other_does(count in 1_usize..70, pick in any::<prop::sample::Index>(), other in any::<[u8; 32]>()) {
        let leaves: Vec<Digest> = (0..count).map(|leaf| Digest::of(leaf.to_le_bytes())).collect();
        let root = tree::root(&leaves);
        let mut growing = tree::Growing::default();
        leaves.iter().for_each(|leaf| growing.push(*leaf));
        prop_assert_eq!((growing.root(), growing.count()), (root, count as u64));
        let index = pick.index(count);
        let path = tree::paths(&leaves)[index].clone();
        let climb = |leaf, index: usize, path: &[Digest]| tree::climb(leaf, index as u64, count as u64, path);
        prop_assert_eq!(climb(leaves[index], index, &path), Some(root));
        prop_assert_ne!(climb(Digest::of(other), index, &path), Some(root));
        if count > 1 {
            prop_assert_ne!(climb(leaves[index], (index + 1) % count, &path), Some(root));
            prop_assert_ne!(climb(leaves[index], index, &path[1..]), Some(root));
        }
    }

    #[test]
    fn sound_receipts_are_read_whatever_their_batches(count in 1_u64..30, size in 5_usize..40) {
        let (page, keys) = page(count, size);
        prop_assert_eq!(read(&page, &keys), Ok(page.receipts.len()));
    }

    #[test]
    fn a_changed_receipt_never_holds(count in 4_u64..30, size in 5_usize..20, pick in any::<prop::sample::Index>(), field in 0..7) {
        let (mut page, keys) = page(count, size);
        let pick = pick.index(page.receipts.len());
        let receipt = &mut page.receipts[pick].receipt;
        match field {
            0 => receipt.reply = Digest::of("another reply"),
            1 => receipt.asked = Digest::of("another question"),
            2 => receipt.sent = Digest::of("another prompt"),
            3 => receipt.call = CallId(receipt.call.0 + 1),
            4 => receipt.endpoint.host = Host::Custom,
            5 => receipt.model = Some("a better one".into()),
            _ => receipt.time += 1,
        }
        prop_assert!(read(&page, &keys).is_err());
    }
}

#[test]
fn what_was_done_to_receipts_is_named() {
    let sound = || page(12, 5);
    let (page, keys) = sound();
    let number = |at: usize| page.receipts[at].receipt.number;

    // A forged signature, and a batch under a key that is not published.
    let (mut forged, _) = sound();
    forged.batches[1].signature = forged.batches[0].signature.clone();
    assert_eq!(read(&forged, &keys), Err(BadReceipts::Signature { from: 5 }));
    let (_, stranger) = signer(8);
    let unknown = BadReceipts::UnknownKey(keys[0].id);
    assert_eq!(read(&page, std::slice::from_ref(&stranger)), Err(unknown));
    // A key under another's name.
    let mask = PublishedKey { id: keys[0].id, ..stranger };
    assert_eq!(read(&page, &[mask]), Err(BadReceipts::Key(keys[0].id)));
    // A key that was put away before.
    let old = PublishedKey { until: Some(4_000), ..keys[0].clone() };
    assert_eq!(read(&page, &[old]), Err(BadReceipts::OutOfTime { from: 0 }));

    // One left out, two that change places, one of another run.
    let (mut gap, _) = sound();
    gap.receipts.remove(2);
    assert_eq!(read(&gap, &keys), Err(BadReceipts::Gap { expected: number(2), found: number(3) }));
    let (mut moved, _) = sound();
    moved.receipts.swap(1, 2);
    assert!(matches!(read(&moved, &keys), Err(BadReceipts::Gap { .. })));
    let mut other = Book::new(run(2), Keys::read(&keys).expect("they are sound"));
    assert_eq!(other.add(&page), Err(BadReceipts::OtherRun { number: 1, run: run(1) }));

    // One in the place of another, whose number it takes.
    let (mut replaced, _) = sound();
    replaced.receipts[2].receipt.reply = Digest::of("made up");
    assert_eq!(read(&replaced, &keys), Err(BadReceipts::Changed(number(2))));
    let (mut parted, _) = sound();
    parted.receipts[2].receipt.previous = Digest::of("made up");
    assert_eq!(read(&parted, &keys), Err(BadReceipts::Parted(number(2))));
    let (mut bare, _) = sound();
    bare.batches.remove(1);
    assert_eq!(read(&bare, &keys), Err(BadReceipts::NoBatch(number(4))));
}

#[test]
fn heads_are_signed_over_all_that_is_in_them() {
    let (key, published) = signer(3);
    let keys = Keys::read(std::slice::from_ref(&published)).expect("it is sound");
    let mut head = TreeHead {
        key: published.id,
        batches: 3,
        leaves: 40,
        root: Digest::of("root"),
        time: 9,
        signature: String::new(),
    };
    head.signature = hex(&key.sign(head_text(&head).as_bytes()).to_bytes());
    assert_eq!(keys.check_head(&head), Ok(()));
    for changed in [
        TreeHead { leaves: 41, ..head.clone() },
        TreeHead { root: Digest::of("another"), ..head.clone() },
        TreeHead { time: 10, ..head.clone() },
    ] {
        assert_eq!(keys.check_head(&changed), Err(BadReceipts::Head(3)));
    }
}
