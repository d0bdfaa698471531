//! Choices out of arbitrary bytes.

/// Bytes that are used up from the front; when none is left, all choices are the first.
#[derive(Debug)]
pub(crate) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        first
    }

    /// A number below `bound`, which is at most 256.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.below(2) == 1
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A budget of guesses: `most`, a byte's worth, or fewer than `few`.
    pub(crate) fn budget(&mut self, most: u64, few: u8) -> u64 {
        match self.below(3) {
            0 => most,
            1 => u64::from(self.byte()),
            _ => u64::from(self.byte() % few),
        }
    }

    pub(crate) fn number(&mut self) -> u32 {
        u32::from_be_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    /// The next bytes, at most `length` of them.
    pub(crate) fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    pub(crate) fn rest(&mut self) -> &'a [u8] {
        self.take(usize::MAX)
    }
}
