"""Write tiny random networks and a tokenizer, and export them as optimum does: no downloads."""

import sys
from pathlib import Path

import torch
from optimum.exporters.onnx import main_export
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertModel,
    DistilBertConfig,
    DistilBertForSequenceClassification,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
)

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = [
    *SPECIAL,
    *"the cat dog sat on mat ran fast sky is very good hello world how are you".split(),
]


def tokenizer() -> PreTrainedTokenizerFast:
    """Return one that knows a few words."""
    made = Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", mask_token="[MASK]", bos_token="[CLS]", eos_token="[SEP]",
        model_max_length=64,
    )  # fmt: skip


def networks() -> dict[str, tuple[str, torch.nn.Module]]:
    """Return each network with its task."""
    torch.manual_seed(0)
    count, ends = len(WORDS), {"bos_token_id": 2, "eos_token_id": 3, "pad_token_id": 0}
    bert = BertConfig(
        vocab_size=count, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=64,
    )  # fmt: skip
    distilbert = DistilBertConfig(
        vocab_size=count, dim=32, n_layers=2, n_heads=4, hidden_dim=64, max_position_embeddings=64,
        num_labels=3,
    )  # fmt: skip
    gpt2 = GPT2Config(vocab_size=count, n_embd=32, n_layer=2, n_head=4, n_positions=64, **ends)
    llama = LlamaConfig(
        vocab_size=count, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64, **ends,
    )  # fmt: skip
    return {
        "bert": ("feature-extraction", BertModel(bert)),
        "distilbert": ("text-classification", DistilBertForSequenceClassification(distilbert)),
        "gpt2": ("text-generation-with-past", GPT2LMHeadModel(gpt2)),
        "llama": ("text-generation-with-past", LlamaForCausalLM(llama)),
    }


folder = Path(sys.argv[1])
for name, (task, network) in networks().items():
    network.eval().save_pretrained(folder / f"{name}-torch")
    tokenizer().save_pretrained(folder / f"{name}-torch")
    main_export(
        str(folder / f"{name}-torch"), output=str(folder / name), task=task, do_validation=False
    )
