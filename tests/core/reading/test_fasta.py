"""FASTA files and plain text, and windows around sites."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from fewer.core.reading.io.fasta import fasta_text, is_sequence_file
from fewer.io import read_fasta, site_windows


def written(tmp_path, text, name="a.fasta"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_fasta_and_plain_text(tmp_path):
    found = read_fasta(written(tmp_path, "; a comment\n>s1 first class=a\nAC GT\nacg\n\n>s2 x class=b\nTT\n"))
    assert found.texts == ("ACGTacg", "TT")
    assert found.names == ["s1", "s2"]
    assert found.classes() == ["a", "b"]
    plain = read_fasta(written(tmp_path, "\ufeffACGT\r\n\r\nTT\r\n", "a.txt"))
    assert plain.texts == ("ACGT", "TT")
    assert plain.names == ["sequence 1", "sequence 2"]
    packed = tmp_path / "b.fa.gz"
    packed.write_bytes(gzip.compress(b">a\nACG\n"))
    assert read_fasta(packed).texts == ("ACG",)
    assert is_sequence_file(packed)
    assert not is_sequence_file("a.csv.gz")


def test_the_class_is_in_the_header(tmp_path):
    """class= or label= if all have it, the last word otherwise, or the key that is asked for."""
    keyed = read_fasta(written(tmp_path, ">a|label=x;kind=1\nA\n>b label=y kind=2 z\nC\n"))
    assert keyed.classes() == ["x", "y"]
    assert keyed.classes("kind") == ["1", "2"]
    with pytest.raises(ValueError, match=r"no type=CLASS in the header of sequence 0"):
        keyed.classes("type")
    last = read_fasta(written(tmp_path, ">a class=x\nA\n>b donor\nC\n"))
    assert last.classes() == ["class=x", "donor"]
    with pytest.raises(ValueError, match="names no class in the header of sequence 0"):
        read_fasta(written(tmp_path, ">a\nA\n>b c\nC\n")).classes()


@pytest.mark.parametrize(
    ("text", "words"), [("", "holds no sequence"), (">a\n>b\nAC\n", "header without letters"), ("; only\n", "holds no")]
)
def test_files_without_sequences(tmp_path, text, words):
    with pytest.raises(ValueError, match=words):
        read_fasta(written(tmp_path, text))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ValueError, match="does not exist"):
        read_fasta(tmp_path / "none.fa")
    bad = tmp_path / "bad.fa"
    bad.write_bytes(b">a\n\xff\xfe\xff")
    with pytest.raises(ValueError, match="cannot be read as text"):
        read_fasta(bad)
    broken = tmp_path / "bad.fa.gz"
    broken.write_bytes(b"no gzip")
    with pytest.raises(ValueError, match="cannot be read as text"):
        read_fasta(broken)


def test_what_is_written_is_read(tmp_path, rng):
    texts = ["".join(rng.choice(list("ACGT"), n)) for n in (1, 70, 71, 200)]
    found = read_fasta(written(tmp_path, fasta_text(texts, [f"s{i} class={i % 2}" for i in range(4)])))
    assert list(found.texts) == texts
    assert found.classes() == ["0", "1", "0", "1"]


@pytest.mark.parametrize(("pair", "side"), [("AG", "upstream"), ("GT", "downstream")])
def test_windows_have_the_pair_at_one_place(pair, side, rng):
    """Section 18.4.1: 2 x 80 letters, the same pair in both classes, sites near an end left out."""
    texts = ["".join(rng.choice(list("ACGTacgt"), 900)) for _ in range(4)]
    shift = 2 if side == "upstream" else 0
    every = [[i + shift for i in range(899) if t[i : i + 2].upper() == pair] for t in texts]
    sites = [places[::5] for places in every]
    found = site_windows(texts, sites, pair=pair, side=side, n_negatives=60, random_state=0)
    assert {len(t) for t in found.texts} == {160}
    at = slice(78, 80) if side == "upstream" else slice(80, 82)
    assert {t[at].upper() for t in found.texts} == {pair}
    inside = sum(80 <= p <= 820 for places in sites for p in places)
    assert (found.y.sum(), (found.y == 0).sum()) == (inside, 60)
    for label, number, place, text in zip(found.y, found.sequence, found.site, found.texts):
        assert (place in sites[number]) == bool(label)
        assert texts[number][place - 80 : place + 80] == text
    whole = site_windows(texts, sites, pair=pair, side=side)
    assert (whole.y == 0).sum() == sum(80 <= p <= 820 for places in every for p in places) - inside
    assert len(np.unique(np.column_stack([whole.sequence, whole.site]), axis=0)) == len(whole.y)


def test_sites_that_do_not_fit():
    with pytest.raises(ValueError, match="no AG upstream of the site after letter 3 of sequence 0"):
        site_windows(["CCCCCCCC"], [[3]], flank=2)
    with pytest.raises(ValueError, match="there are 1 with AG"):
        site_windows(["CCAGCC"], [[]], flank=2, n_negatives=2)
    with pytest.raises(ValueError, match="sites of 2"):
        site_windows(["CCAGCC"], [[], []], flank=2)
    for bad in ({"side": "left"}, {"flank": 1}, {"pair": ""}):
        with pytest.raises(ValueError, match="site_windows got"):
            site_windows(["CCAGCC"], [[]], **{"flank": 2, **bad})


def test_the_first_argument_of_classes_is_the_key(tmp_path):
    found = read_fasta(written(tmp_path, ">a class=x kind=1\nA\n>b class=y kind=2\nC\n"))
    assert found.classes("kind") == ["1", "2"]
    with pytest.raises(ValueError, match=r"The file has no foo=CLASS"):
        found.classes("foo")


@pytest.mark.parametrize(("texts", "sites"), [("ccAGtt", [[4]]), (["ccAGtt"], [4])])
def test_sites_without_lists(texts, sites):
    with pytest.raises(ValueError, match="put them into lists"):
        site_windows(texts, sites, flank=2)


def test_a_folder_is_no_file_and_sequences_are_no_table(tmp_path):
    import fewer

    with pytest.raises(ValueError, match="is a folder"):
        read_fasta(tmp_path)
    with pytest.raises(ValueError, match="read_fasta and make features with Kmers or FGA"):
        fewer.select(written(tmp_path, ">a x\nA\n"))
