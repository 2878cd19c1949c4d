"""What measurements find: frozen figures, which `tvmfuse.views` draws; nothing here takes TVM."""
