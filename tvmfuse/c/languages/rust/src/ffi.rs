//! What `tvmfuse.h` declares.

use std::ffi::c_void;
use std::os::raw::{c_char, c_int};

use crate::DType;

#[repr(C)]
pub struct Model {
    _private: [u8; 0],
}

#[repr(C)]
pub struct Bound {
    _private: [u8; 0],
}

#[repr(C)]
pub struct Options {
    pub size: usize,
    pub threads: i32,
    pub check_digest: i32,
}

#[repr(C)]
pub struct Spec {
    pub name: *const c_char,
    pub type_name: *const c_char,
    pub dtype: DType,
    pub rank: i32,
    pub sizes: *const i64,
    pub names: *const *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Tensor {
    pub data: *mut c_void,
    pub dtype: DType,
    pub rank: i32,
    pub sizes: *const i64,
}

#[link(name = "tvmfuse")]
extern "C" {
    pub fn tvmfuse_last_error() -> *const c_char;
    pub fn tvmfuse_open(
        path: *const c_char,
        options: *const Options,
        model: *mut *mut Model,
    ) -> c_int;
    pub fn tvmfuse_close(model: *mut Model);
    pub fn tvmfuse_manifest(model: *const Model) -> *const c_char;
    pub fn tvmfuse_level(model: *const Model) -> *const c_char;
    pub fn tvmfuse_input_count(model: *const Model) -> i32;
    pub fn tvmfuse_output_count(model: *const Model) -> i32;
    pub fn tvmfuse_overridable_count(model: *const Model) -> i32;
    pub fn tvmfuse_shared_input(model: *const Model, output: i32) -> i32;
    pub fn tvmfuse_input(model: *const Model, place: i32, spec: *mut Spec) -> c_int;
    pub fn tvmfuse_output(model: *const Model, place: i32, spec: *mut Spec) -> c_int;
    pub fn tvmfuse_overridable(model: *const Model, place: i32, spec: *mut Spec) -> c_int;
    pub fn tvmfuse_run(
        model: *mut Model,
        inputs: *const Tensor,
        input_count: i32,
        outputs: *mut Tensor,
        output_count: i32,
    ) -> c_int;
    pub fn tvmfuse_free(data: *mut c_void);
    pub fn tvmfuse_bind(
        model: *mut Model,
        inputs: *const Tensor,
        input_count: i32,
        outputs: *mut Tensor,
        output_count: i32,
        bound: *mut *mut Bound,
    ) -> c_int;
    pub fn tvmfuse_run_bound(bound: *mut Bound) -> c_int;
    pub fn tvmfuse_unbind(bound: *mut Bound);
}
