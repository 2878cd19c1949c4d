"""Parts of the attention kernel: what it computes, panels, products, and rows of a softmax."""
