# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Samples of the speech recording that package alsa-utils installs."""
import array
import sys
import wave

RECORDING = "/usr/share/sounds/alsa/Front_Center.wav"


def samples(path=RECORDING):
    """(rate, samples in [-1, 1)) of the first channel of a 16-bit WAV file."""
    try:
        with wave.open(path) as recording:
            if recording.getsampwidth() != 2:
                sys.exit(f"{path}: not a 16-bit recording")
            frames = array.array("h", recording.readframes(recording.getnframes()))
            return recording.getframerate(), [
                s / 32768 for s in frames[:: recording.getnchannels()]
            ]
    except FileNotFoundError:
        sys.exit(f"{path}: not found; install alsa-utils")
