//! Operations that move words between lanes, vectors and memory.

use super::*;

/// Work on one engine that checks itself.
macro_rules! check {
    ($name:ident, |$p:ident, $random:ident| $check:block) => {
        #[test]
        fn $name() {
            struct Check<'a>(&'a mut Random);
            impl<P: PuzzleLanes> Task<P> for Check<'_> {
                type Output = ();
                #[inline(always)]
                fn run(self, $p: P) {
                    let $random = self.0;
                    $check
                }
            }
            let mut random = Random::new(5);
            for engine in engines() {
                for _ in 0..50 {
                    with_lanes!(engine, lanes => lanes.run(Check(&mut random)));
                }
            }
        }
    };
}

/// As many vectors as lanes.
#[inline(always)]
fn block<P: PuzzleLanes>(p: P, random: &mut Random) -> Vec<P::Words> {
    let vectors = (0..P::LANES).map(|_| vector(p, &wide(random)));
    vectors.collect()
}

check!(only, |p, random| {
    let word = word(random);
    for lane in 0..P::LANES {
        let mut meaning = [0; MOST];
        meaning[lane] = word;
        assert_eq!(P::words(&p.only(lane, word)), &meaning[..P::LANES], "{p:?}");
    }
});

check!(transpose, |p, random| {
    let block = block(p, random);
    let mut turned = block.clone();
    p.transpose(&mut turned);
    for (row, words) in turned.iter().enumerate() {
        let meaning: Vec<u16> = block.iter().map(|words| P::words(words)[row]).collect();
        assert_eq!(P::words(words), meaning, "{p:?} {row}");
    }
});

check!(transpose_eights, |p, random| {
    let block = block(p, random);
    let mut turned: [P::Words; 8] = std::array::from_fn(|row| block[row]);
    p.transpose_eights(&mut turned);
    for (row, words) in turned.iter().enumerate() {
        for (lane, word) in P::words(words).iter().enumerate() {
            let meaning = P::words(&block[lane % 8])[lane / 8 * 8 + row];
            assert_eq!(*word, meaning, "{p:?} {row} {lane}");
        }
    }
});

check!(pick, |p, random| {
    let (own, other) = (wide(random), wide(random));
    // Beyond the lanes there is rubbish.
    let mut from = wide(random);
    for source in &mut from[..P::LANES] {
        *source = (random.below(P::LANES) + MOST * random.below(2)) as u16;
    }
    let picked = p.pick(vector(p, &own), vector(p, &other), &from);
    let meaning = from[..P::LANES].iter().map(|&source| {
        let source = usize::from(source);
        *own.get(source).unwrap_or_else(|| &other[source - MOST])
    });
    assert_eq!(
        P::words(&picked),
        meaning.collect::<Vec<_>>(),
        "{p:?} {from:?}"
    );
});

check!(pairs_in_and_out, |p, random| {
    let bytes: [u8; 2 * MOST] = std::array::from_fn(|_| random.next() as u8);
    let pairs = p.load_pairs(&bytes);
    for (lane, word) in P::words(&pairs).iter().enumerate() {
        let meaning = u16::from(bytes[2 * lane]) + 256 * u16::from(bytes[2 * lane + 1]);
        assert_eq!(*word, meaning, "{p:?} {lane}");
    }
    let mut back = [0xee; 2 * MOST];
    p.store_pairs(pairs, &mut back);
    let (written, rest) = back.split_at(2 * P::LANES);
    assert_eq!(written, &bytes[..2 * P::LANES], "{p:?}");
    assert!(rest.iter().all(|&byte| byte == 0xee), "{p:?}");
});

check!(all_lanes, |p, random| {
    let lane = random.below(P::LANES);
    assert_eq!(p.set(p.some(p.only(lane, 1))), 1 << lane, "{p:?}");
    let every: Vec<usize> = members(p.set(p.some(p.splat(1)))).collect();
    assert!(every.iter().copied().eq(0..P::LANES), "{p:?} {every:?}");
    assert_eq!(
        all::<P>(),
        every.iter().fold(0, |set: LaneSet, lane| set | 1 << lane)
    );
});
