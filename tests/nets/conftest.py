"""Networks here are too small for threads, which on a busy machine wait for each other."""

import torch

torch.set_num_threads(1)
