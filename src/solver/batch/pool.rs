//! The open boards that have no lane at the moment: a stack a puzzle.

use super::board::Loose;
use super::puzzles::Owner;

/// How many boards may wait; a puzzle that would need one more is given up.
const MOST_WAITING: usize = 1024;

/// How many puzzles may have boards: those that wait, and one more for every lane.
const MOST_OWNERS: usize = MOST_WAITING + super::lanes::MOST;

/// Where a board is kept.
pub(crate) type Place = u16;

/// No place.
const NONE: Place = Place::MAX;

/// Boards that wait for a lane, each with the puzzle that it belongs to.
#[derive(Debug)]
pub(crate) struct Pool {
    boards: Box<[Loose]>,
    /// The place below each place in the stack of its puzzle, or in that of the free places.
    below: Box<[Place]>,
    free: Place,
    /// Every puzzle's newest board.
    newest: Box<[Place]>,
    /// The puzzles that have boards here, and where each of them stands in this list.
    owners: Vec<Owner>,
    ranks: Box<[u16]>,
    waiting: usize,
    /// How many boards of every puzzle wait.
    counts: Box<[u16]>,
}

impl Pool {
    /// Room for a search.
    pub(crate) fn new() -> Self {
        let below = (1..=MOST_WAITING as Place).map(|place| {
            if usize::from(place) < MOST_WAITING {
                place
            } else {
                NONE
            }
        });
        Self {
            boards: vec![[0; 81]; MOST_WAITING].into(),
            below: below.collect(),
            free: 0,
            newest: vec![NONE; MOST_OWNERS].into(),
            owners: Vec::with_capacity(MOST_OWNERS),
            ranks: vec![0; MOST_OWNERS].into(),
            waiting: 0,
            counts: vec![0; MOST_OWNERS].into(),
        }
    }

    /// How many boards wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting
    }

    /// How many boards of a puzzle wait.
    pub(crate) fn len_of(&self, owner: Owner) -> u32 {
        self.counts[usize::from(owner)].into()
    }

    /// Whether so many boards wait that fewer should join them.
    pub(crate) fn crowded(&self) -> bool {
        self.waiting > MOST_WAITING / 2
    }

    /// Room for one more board of a puzzle, or none if the pool is full.
    pub(crate) fn push(&mut self, owner: Owner) -> Option<&mut Loose> {
        let place = self.free;
        let board = self.boards.get_mut(usize::from(place))?;
        self.free = self.below[usize::from(place)];
        let newest = &mut self.newest[usize::from(owner)];
        if *newest == NONE {
            self.ranks[usize::from(owner)] = self.owners.len() as u16;
            self.owners.push(owner);
        }
        self.below[usize::from(place)] = std::mem::replace(newest, place);
        self.waiting += 1;
        self.counts[usize::from(owner)] += 1;
        Some(board)
    }

    /// The newest board of a puzzle that joined late; its place must be freed once it has been read.
    pub(crate) fn pop(&mut self) -> Option<(Owner, Place)> {
        let owner = *self.owners.last()?;
        Some((owner, self.pop_of(owner)?))
    }

    /// The newest board of one puzzle; its place must be freed once it has been read.
    pub(crate) fn pop_of(&mut self, owner: Owner) -> Option<Place> {
        let newest = &mut self.newest[usize::from(owner)];
        let place = *newest;
        if place == NONE {
            return None;
        }
        *newest = self.below[usize::from(place)];
        if *newest == NONE {
            let rank = self.ranks[usize::from(owner)];
            self.owners.swap_remove(usize::from(rank));
            if let Some(&moved) = self.owners.get(usize::from(rank)) {
                self.ranks[usize::from(moved)] = rank;
            }
        }
        self.waiting -= 1;
        self.counts[usize::from(owner)] -= 1;
        Some(place)
    }

    /// The board at a place.
    pub(crate) fn board(&self, place: Place) -> &Loose {
        &self.boards[usize::from(place)]
    }

    /// Gives a place back.
    pub(crate) fn free(&mut self, place: Place) {
        self.below[usize::from(place)] = std::mem::replace(&mut self.free, place);
    }

    /// Drops the boards of a puzzle.
    pub(crate) fn purge(&mut self, owner: Owner) {
        while let Some(place) = self.pop_of(owner) {
            self.free(place);
        }
    }
}
