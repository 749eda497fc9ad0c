#!/usr/bin/env python3
"""Writes golden-rows.tsv: rows as other systems write them, of kinds of tables whose code is in no public jar.

Rows of the others are in golden-rows-own.tsv, by testing/adopt-rows/run.sh. Written from the
published sources of those systems, which the .system files name, and independent of Rowguard:
no hash and no form of a number is shared with it.

    python3 golden-rows.py > golden-rows.tsv

Columns: system, kind of table, its numbers, the row as HBase's shell shows it.
"""
import hashlib
import struct

LONG_MAX = 2**63 - 1
INT_MAX = 2**31 - 1


def signed32(number):
    number &= 0xFFFFFFFF
    return number - 2**32 if number >= 2**31 else number


def java_hash(data):
    """java.util.Arrays.hashCode(byte[])"""
    result = 1
    for byte in data:
        result = 31 * result + (byte - 256 if byte > 127 else byte)
    return signed32(result)


def java_remainder(number, divisor):
    """Java's %, which has the sign of the number."""
    rest = abs(number) % divisor
    return -rest if number < 0 else rest


def shown(row):
    text = ""
    for byte in row:
        plain = chr(byte).isascii() and chr(byte).isalnum()
        text += chr(byte) if plain or chr(byte) in " `~!@#$%^&*()-_=+[]{}|;:'\",.<>/?" else "\\x%02X" % byte
    return text


def out(system, kind, numbers, row):
    print("\t".join([system, kind, numbers, shown(row)]))


def padded(text, length):
    data = text.encode()
    return data + bytes(length - len(data))


def counted(text):
    data = text.encode()
    return struct.pack(">i", len(data)) + data


def pinpoint():
    for n in range(12):
        agent = padded("agent-%d" % n, 24)
        sequence = struct.pack(">q", n * 1234567891011)
        salt = java_hash(sequence)
        rest = agent + struct.pack(">q", 1763596800000 + n) + sequence
        out("pinpoint", "trace-2", "buckets=256", bytes([abs(salt) % 256]) + rest)
        time = struct.pack(">q", LONG_MAX - (1763596800000 + 61 * n))
        key = padded("shop-%d" % n, 24) + time + bytes([n * 3])
        out("pinpoint", "index", "buckets=32", bytes([(java_hash(key) & INT_MAX) % 32]) + key)


def metron():
    for n in range(8):
        period = 1472131630748 // 900000 + n
        digest = hashlib.md5(struct.pack(">q", period)).digest()
        salt = java_remainder(struct.unpack(">h", digest[:2])[0], 1000)
        head = struct.pack(">i", 4) + struct.pack(">i", salt) + counted("profile-%d" % n) + counted("10.0.0.%d" % n)
        times = struct.pack(">q", period) + struct.pack(">q", 900000)
        out("metron", "profile", "", head + struct.pack(">i", 0) + times)
        out("metron", "profile-1", "", head + struct.pack(">i", 1) + counted("weekends") + times)


for write in (metron, pinpoint):
    write()
