//! The hash tree over leaves, as certificate transparency has it (RFC 9162, section 2.1): inner nodes are
//! `SHA-256(1 ‖ left ‖ right)`, and the left half is the largest power of two that is smaller than the whole.

use crate::hash::Digest;

fn node(left: &Digest, right: &Digest) -> Digest {
    Digest::of_parts([b"\x01".as_slice(), left.bytes().as_slice(), right.bytes().as_slice()])
}

/// The size of the left half of a tree of this many leaves; at least two.
fn left_half(count: usize) -> usize {
    count.next_power_of_two() / 2
}

/// The root over leaves; over none it is the digest of nothing.
pub fn root(leaves: &[Digest]) -> Digest {
    match leaves {
        [] => Digest::of(""),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(left_half(leaves.len()));
            node(&root(left), &root(right))
        }
    }
}

/// For each leaf the hashes beside its way to the root, from below.
pub fn paths(leaves: &[Digest]) -> Vec<Vec<Digest>> {
    walk(leaves).1
}

fn walk(leaves: &[Digest]) -> (Digest, Vec<Vec<Digest>>) {
    match leaves {
        [] => (root(&[]), Vec::new()),
        [leaf] => (*leaf, vec![Vec::new()]),
        _ => {
            let (left, right) = leaves.split_at(left_half(leaves.len()));
            let ((left, mut paths), (right, more)) = (walk(left), walk(right));
            paths.iter_mut().for_each(|path| path.push(right));
            paths.extend(more.into_iter().map(|mut path| {
                path.push(left);
                path
            }));
            (node(&left, &right), paths)
        }
    }
}

/// The root to which a leaf leads along a path; `None` if a tree of that size has no such way.
pub fn climb(leaf: Digest, index: u64, count: u64, path: &[Digest]) -> Option<Digest> {
    if index >= count {
        return None;
    }
    let (mut index, mut last) = (index, count - 1);
    let mut hash = leaf;
    for beside in path {
        if last == 0 {
            return None;
        }
        if index % 2 == 1 || index == last {
            hash = node(beside, &hash);
            while index % 2 == 0 && index != 0 {
                index /= 2;
                last /= 2;
            }
        } else {
            hash = node(&hash, beside);
        }
        index /= 2;
        last /= 2;
    }
    (last == 0).then_some(hash)
}

/// A tree that grows by one leaf at a time and keeps no more than it needs: the roots of its whole halves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Growing {
    count: u64,
    /// Largest first: one for each binary digit of the count that is set.
    peaks: Vec<Digest>,
}

impl Growing {
    pub fn push(&mut self, leaf: Digest) {
        let mut hash = leaf;
        let mut digits = self.count;
        while digits % 2 == 1 {
            // Every digit that is set has its peak.
            if let Some(left) = self.peaks.pop() {
                hash = node(&left, &hash);
            }
            digits /= 2;
        }
        self.peaks.push(hash);
        self.count += 1;
    }

    /// How many leaves it has.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Its root: the same as [`root`] over all its leaves.
    pub fn root(&self) -> Digest {
        let mut peaks = self.peaks.iter().rev();
        match peaks.next() {
            None => root(&[]),
            Some(last) => peaks.fold(*last, |right, left| node(left, &right)),
        }
    }
}
