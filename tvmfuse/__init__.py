"""tvmfuse"""
