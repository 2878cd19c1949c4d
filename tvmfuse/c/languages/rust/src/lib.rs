//! Runs models that tvmfuse compiled for the CPU, over the C library `libtvmfuse`.
//!
//! ```no_run
//! use tvmfuse::{Model, Tensor};
//!
//! let model = Model::open("model.so")?;
//! let pixels = vec![0f32; 3 * 224 * 224];
//! let results = model.run(&[Tensor::new(&pixels, &[1, 3, 224, 224])?])?;
//! println!("{:?}", results[0].elements::<f32>()?);
//! # Ok::<(), tvmfuse::Error>(())
//! ```
//!
//! Data is not copied between the caller and the library; the library copies inputs and outputs that
//! begin at no multiple of 64 bytes: an [`Output`] does. What `tvmfuse.h` says of threads, `fork` and
//! trust holds here: opening a file and running it runs its machine code.

mod error;
mod ffi;
mod tensor;

use std::ffi::{CStr, CString};
use std::fmt;
use std::os::raw::{c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{self, NonNull};

use error::{check, invalid};
pub use error::{Error, Result, Status};
pub use tensor::{DType, Element, Output, Tensor, TensorMut};

/// How a model is opened.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many threads compute one run; 0: one for each physical core.
    pub threads: i32,
    /// Whether all of the file is compared with its checksum.
    pub check_digest: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            threads: 0,
            check_digest: true,
        }
    }
}

/// A dimension of an input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Size {
    Fixed(i64),
    /// The caller, or a run, decides: inputs' of one name are one.
    Named(String),
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Size::Fixed(size) => size.fmt(formatter),
            Size::Named(name) => name.fmt(formatter),
        }
    }
}

/// What a model says of an input or output.
#[derive(Clone, Debug)]
pub struct Spec {
    pub name: String,
    /// The model's word for the elements, such as `float32`.
    pub type_name: String,
    pub dtype: DType,
    pub sizes: Vec<Size>,
}

/// An open model. Any number of threads may run it at once.
#[derive(Debug)]
pub struct Model {
    handle: NonNull<ffi::Model>,
}

// Safety: the library lets any threads run one model at once.
unsafe impl Send for Model {}
unsafe impl Sync for Model {}

impl Model {
    /// Opens a compiled file.
    pub fn open(path: impl AsRef<Path>) -> Result<Model> {
        Model::open_with(path, Options::default())
    }

    /// Opens a compiled file with options.
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<Model> {
        let path = match CString::new(path.as_ref().as_os_str().as_bytes()) {
            Ok(path) => path,
            Err(_) => return invalid("open: the path has a zero in it".to_string()),
        };
        let options = ffi::Options {
            size: std::mem::size_of::<ffi::Options>(),
            threads: options.threads,
            check_digest: options.check_digest.into(),
        };
        let mut model = ptr::null_mut();
        // Safety: all pointers lead to what the function expects.
        check(unsafe { ffi::tvmfuse_open(path.as_ptr(), &options, &mut model) })?;
        let handle = NonNull::new(model).expect("a model that was opened");
        Ok(Model { handle })
    }

    /// Describes the inputs, in order.
    pub fn inputs(&self) -> Result<Vec<Spec>> {
        // Safety: the model is open, as below.
        let count = unsafe { ffi::tvmfuse_input_count(self.handle.as_ptr()) };
        self.specs(count, ffi::tvmfuse_input)
    }

    /// Describes the outputs, in order.
    pub fn outputs(&self) -> Result<Vec<Spec>> {
        self.specs(self.output_count() as i32, ffi::tvmfuse_output)
    }

    /// Describes inputs that have a default: a run takes as many as are given behind the others.
    pub fn overridable(&self) -> Result<Vec<Spec>> {
        let count = unsafe { ffi::tvmfuse_overridable_count(self.handle.as_ptr()) };
        self.specs(count, ffi::tvmfuse_overridable)
    }

    /// Returns the place of the input whose memory an output may take, as a cache's.
    pub fn shared_input(&self, output: usize) -> Option<usize> {
        let output = i32::try_from(output).ok()?;
        let input = unsafe { ffi::tvmfuse_shared_input(self.handle.as_ptr(), output) };
        usize::try_from(input).ok()
    }

    /// Returns how far it was optimized: `none`, `basic`, `extended`, `layout` or `all`.
    pub fn level(&self) -> &str {
        unsafe { text(ffi::tvmfuse_level(self.handle.as_ptr())) }
    }

    /// Returns what the file says of itself, as JSON.
    pub fn manifest(&self) -> &str {
        unsafe { text(ffi::tvmfuse_manifest(self.handle.as_ptr())) }
    }

    /// Runs the model; the library allocates the results.
    pub fn run(&self, inputs: &[Tensor]) -> Result<Vec<Output>> {
        let mut outputs = tensor::places(self.output_count());
        self.run_raw(inputs, &mut outputs)?;
        Ok(outputs.iter().map(Output::take).collect())
    }

    /// Runs the model, and writes the results to memory of the caller's.
    pub fn run_into(&self, inputs: &[Tensor], outputs: &mut [TensorMut]) -> Result<()> {
        let mut outputs: Vec<_> = outputs.iter().map(TensorMut::raw).collect();
        self.run_raw(inputs, &mut outputs)
    }

    /// Runs the model, and writes each output that may take the memory of an input there.
    ///
    /// Returns the others, in order: `None` stands for those that are in an input.
    pub fn run_in_place(&self, inputs: &mut [TensorMut]) -> Result<Vec<Option<Output>>> {
        let raw: Vec<_> = inputs.iter().map(TensorMut::raw).collect();
        let mut outputs = tensor::places(self.output_count());
        let mut own = Vec::new();
        for (place, output) in outputs.iter_mut().enumerate() {
            let input = self.shared_input(place).and_then(|input| raw.get(input));
            *output = input.copied().unwrap_or(*output);
            own.push(output.data.is_null());
        }
        self.run_of(&raw, &mut outputs)?;
        let take = |(output, own)| if own { Some(Output::take(output)) } else { None };
        Ok(outputs.iter().zip(own).map(take).collect())
    }

    /// Binds inputs; the library allocates the results.
    ///
    /// What is bound cannot outlive its tensors:
    ///
    /// ```compile_fail,E0597
    /// fn bound(model: &tvmfuse::Model) -> tvmfuse::Result<()> {
    ///     let mut bound;
    ///     {
    ///         let mut pixels = [0f32; 12];
    ///         bound = model.bind(vec![tvmfuse::TensorMut::new(&mut pixels, &[3, 4])?])?;
    ///     }
    ///     bound.run()
    /// }
    /// ```
    pub fn bind<'a>(&self, inputs: Vec<TensorMut<'a>>) -> Result<Bound<'a>> {
        let mut outputs = tensor::places(self.output_count());
        let mut bound = self.bind_raw(inputs, &mut outputs)?;
        bound.results = outputs.iter().map(Output::take).collect();
        Ok(bound)
    }

    /// Binds inputs and outputs.
    pub fn bind_into<'a>(
        &self,
        inputs: Vec<TensorMut<'a>>,
        outputs: Vec<TensorMut<'a>>,
    ) -> Result<Bound<'a>> {
        let mut raw: Vec<_> = outputs.iter().map(TensorMut::raw).collect();
        let mut bound = self.bind_raw(inputs, &mut raw)?;
        bound.outputs = outputs;
        Ok(bound)
    }

    fn output_count(&self) -> usize {
        unsafe { ffi::tvmfuse_output_count(self.handle.as_ptr()) as usize }
    }

    fn specs(&self, count: i32, describe: Describe) -> Result<Vec<Spec>> {
        (0..count).map(|place| self.spec(place, describe)).collect()
    }

    fn spec(&self, place: i32, describe: Describe) -> Result<Spec> {
        let mut said = std::mem::MaybeUninit::uninit();
        // Safety: on success the function fills it in, and its pointers are the model's.
        unsafe {
            check(describe(self.handle.as_ptr(), place, said.as_mut_ptr()))?;
            let said = said.assume_init();
            let size = |axis: usize| match *said.sizes.add(axis) {
                -1 => Size::Named(text(*said.names.add(axis)).to_string()),
                size => Size::Fixed(size),
            };
            Ok(Spec {
                name: text(said.name).to_string(),
                type_name: text(said.type_name).to_string(),
                dtype: said.dtype,
                sizes: (0..said.rank as usize).map(size).collect(),
            })
        }
    }

    fn run_raw(&self, inputs: &[Tensor], outputs: &mut [ffi::Tensor]) -> Result<()> {
        let inputs: Vec<_> = inputs.iter().map(Tensor::raw).collect();
        self.run_of(&inputs, outputs)
    }

    fn run_of(&self, inputs: &[ffi::Tensor], outputs: &mut [ffi::Tensor]) -> Result<()> {
        // Safety: the model is open, and views hold as many bytes as their sizes state.
        check(unsafe {
            ffi::tvmfuse_run(
                self.handle.as_ptr(),
                inputs.as_ptr(),
                inputs.len() as i32,
                outputs.as_mut_ptr(),
                outputs.len() as i32,
            )
        })
    }

    fn bind_raw<'a>(
        &self,
        inputs: Vec<TensorMut<'a>>,
        outputs: &mut [ffi::Tensor],
    ) -> Result<Bound<'a>> {
        let raw: Vec<_> = inputs.iter().map(TensorMut::raw).collect();
        let mut bound = ptr::null_mut();
        // Safety: as in `run_raw`; the memory stays borrowed as long as what is returned lives.
        check(unsafe {
            ffi::tvmfuse_bind(
                self.handle.as_ptr(),
                raw.as_ptr(),
                raw.len() as i32,
                outputs.as_mut_ptr(),
                outputs.len() as i32,
                &mut bound,
            )
        })?;
        Ok(Bound {
            handle: NonNull::new(bound).expect("what was bound"),
            inputs,
            outputs: Vec::new(),
            results: Vec::new(),
        })
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // Safety: nothing uses it any more; what is bound holds what it needs.
        unsafe { ffi::tvmfuse_close(self.handle.as_ptr()) }
    }
}

/// A run whose tensors are fixed, which repeats at the least cost. It may outlive the model.
#[derive(Debug)]
pub struct Bound<'a> {
    handle: NonNull<ffi::Bound>,
    inputs: Vec<TensorMut<'a>>,
    outputs: Vec<TensorMut<'a>>,
    results: Vec<Output>, // of these two, one is empty
}

// Safety: whoever has it for himself may run it, on any thread.
unsafe impl Send for Bound<'_> {}

impl<'a> Bound<'a> {
    /// Runs the model on what lies in the inputs now.
    pub fn run(&mut self) -> Result<()> {
        // Safety: the memory is borrowed, and `self` is not shared.
        check(unsafe { ffi::tvmfuse_run_bound(self.handle.as_ptr()) })
    }

    /// Returns an input's elements, to be changed between runs; panics where there is no such input.
    pub fn input<T: Element>(&mut self, place: usize) -> Result<&mut [T]> {
        self.inputs[place].elements_mut()
    }

    /// Returns an output's elements, of the last run; panics where there is no such output.
    pub fn output<T: Element>(&self, place: usize) -> Result<&[T]> {
        match self.outputs.get(place) {
            Some(output) => output.elements(),
            None => self.results[place].elements(),
        }
    }
}

impl Drop for Bound<'_> {
    fn drop(&mut self) {
        // Safety: nothing else has it.
        unsafe { ffi::tvmfuse_unbind(self.handle.as_ptr()) }
    }
}

type Describe = unsafe extern "C" fn(*const ffi::Model, i32, *mut ffi::Spec) -> c_int;

/// Reads a text of the library's, which is UTF-8 and lives as long as its model.
unsafe fn text<'a>(text: *const c_char) -> &'a str {
    CStr::from_ptr(text).to_str().unwrap_or("")
}
