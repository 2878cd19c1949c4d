//! Tensors: views of the caller's memory, and results.

use std::marker::PhantomData;
use std::ptr;
use std::slice;

use crate::error::{invalid, Result};
use crate::ffi;

/// The type of an element, as DLPack has it; `tvmfuse.h` says which numbers mean what.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DType {
    pub code: u8,
    pub bits: u8,
    pub lanes: u16,
}

impl DType {
    pub const FLOAT16: DType = DType::new(2, 16);
    pub const BFLOAT16: DType = DType::new(4, 16);

    const fn new(code: u8, bits: u8) -> DType {
        DType {
            code,
            bits,
            lanes: 1,
        }
    }

    /// Returns how many bytes a tensor of these sizes takes.
    pub fn bytes(self, sizes: &[i64]) -> Result<usize> {
        let mut bytes = usize::from(self.bits / 8);
        for &size in sizes {
            match usize::try_from(size)
                .ok()
                .and_then(|n| bytes.checked_mul(n))
            {
                Some(product) => bytes = product,
                None => return invalid(format!("sizes {sizes:?}: no tensor has these")),
            }
        }
        Ok(bytes)
    }
}

/// A Rust type that elements can have.
///
/// # Safety
///
/// Size and alignment are `DTYPE.bits / 8`, and all that a model writes as `DTYPE` are valid values.
pub unsafe trait Element: Copy + 'static {
    const DTYPE: DType;
}

macro_rules! elements {
    ($($element:ty: $code:literal, $bits:literal;)*) => {
        $(unsafe impl Element for $element {
            const DTYPE: DType = DType::new($code, $bits);
        })*
    };
}

elements! {
    f32: 2, 32; f64: 2, 64; bool: 6, 8;
    i8: 0, 8; i16: 0, 16; i32: 0, 32; i64: 0, 64;
    u8: 1, 8; u16: 1, 16; u32: 1, 32; u64: 1, 64;
}

fn check_bytes(dtype: DType, sizes: &[i64], found: usize) -> Result<()> {
    let expected = dtype.bytes(sizes)?;
    if expected == found {
        return Ok(());
    }
    invalid(format!(
        "data: sizes {sizes:?} take {expected} bytes, found {found}"
    ))
}

fn check_element<T: Element>(dtype: DType) -> Result<()> {
    if T::DTYPE == dtype {
        return Ok(());
    }
    invalid(format!(
        "elements: asked for {:?}, and the tensor has {dtype:?}",
        T::DTYPE
    ))
}

/// An input in memory of the caller's.
#[derive(Clone, Copy, Debug)]
pub struct Tensor<'a> {
    data: &'a [u8],
    dtype: DType,
    sizes: &'a [i64],
}

impl<'a> Tensor<'a> {
    /// Views elements as a tensor of these sizes.
    pub fn new<T: Element>(data: &'a [T], sizes: &'a [i64]) -> Result<Self> {
        let bytes = std::mem::size_of_val(data);
        // Safety: the same memory, and elements have no gaps.
        let data = unsafe { slice::from_raw_parts(data.as_ptr().cast(), bytes) };
        Self::from_bytes(data, T::DTYPE, sizes)
    }

    /// Views bytes as a tensor of any type.
    pub fn from_bytes(data: &'a [u8], dtype: DType, sizes: &'a [i64]) -> Result<Self> {
        check_bytes(dtype, sizes, data.len())?;
        Ok(Tensor { data, dtype, sizes })
    }

    pub(crate) fn raw(&self) -> ffi::Tensor {
        ffi::Tensor {
            data: self.data.as_ptr() as *mut _, // which the library only reads
            dtype: self.dtype,
            rank: self.sizes.len() as i32,
            sizes: self.sizes.as_ptr(),
        }
    }
}

/// A tensor in memory of the caller's, which nothing else uses meanwhile.
#[derive(Debug)]
pub struct TensorMut<'a> {
    data: *mut u8, // no reference, for the library has this pointer, too
    bytes: usize,
    dtype: DType,
    sizes: &'a [i64],
    memory: PhantomData<&'a mut [u8]>,
}

// Safety: it is a `&mut [T]` of plain numbers.
unsafe impl Send for TensorMut<'_> {}
unsafe impl Sync for TensorMut<'_> {}

impl<'a> TensorMut<'a> {
    /// Views elements as a tensor of these sizes.
    pub fn new<T: Element>(data: &'a mut [T], sizes: &'a [i64]) -> Result<Self> {
        let bytes = std::mem::size_of_val(data);
        check_bytes(T::DTYPE, sizes, bytes)?;
        Ok(TensorMut {
            data: data.as_mut_ptr().cast(),
            bytes,
            dtype: T::DTYPE,
            sizes,
            memory: PhantomData,
        })
    }

    /// Returns the elements, which have to be of this type.
    pub fn elements<T: Element>(&self) -> Result<&[T]> {
        check_element::<T>(self.dtype)?;
        // Safety: they were a slice of such elements.
        Ok(unsafe {
            slice::from_raw_parts(self.data.cast(), self.bytes / std::mem::size_of::<T>())
        })
    }

    /// Returns the elements, to be changed.
    pub fn elements_mut<T: Element>(&mut self) -> Result<&mut [T]> {
        check_element::<T>(self.dtype)?;
        let count = self.bytes / std::mem::size_of::<T>();
        // Safety: they were a slice of such elements.
        Ok(unsafe { slice::from_raw_parts_mut(self.data.cast(), count) })
    }

    pub(crate) fn raw(&self) -> ffi::Tensor {
        ffi::Tensor {
            data: self.data.cast(),
            dtype: self.dtype,
            rank: self.sizes.len() as i32,
            sizes: self.sizes.as_ptr(),
        }
    }
}

/// A result, with its memory.
#[derive(Debug)]
pub struct Output {
    data: *mut u8,
    dtype: DType,
    rank: usize,
    sizes: *const i64,
}

// Safety: nothing but this has its memory, or the run that is bound to it.
unsafe impl Send for Output {}
unsafe impl Sync for Output {}

impl Output {
    /// Takes what the library allocated.
    pub(crate) fn take(raw: &ffi::Tensor) -> Self {
        Output {
            data: raw.data.cast(),
            dtype: raw.dtype,
            rank: raw.rank as usize,
            sizes: raw.sizes,
        }
    }

    pub fn dtype(&self) -> DType {
        self.dtype
    }

    pub fn sizes(&self) -> &[i64] {
        // Safety: the library wrote them, into the same memory.
        unsafe { slice::from_raw_parts(self.sizes, self.rank) }
    }

    /// Returns the bytes of elements of any type.
    pub fn bytes(&self) -> &[u8] {
        // The library counted them: it never fails.
        let bytes = self.dtype.bytes(self.sizes()).unwrap_or(0);
        // Safety: the library allocated and wrote so many.
        unsafe { slice::from_raw_parts(self.data, bytes) }
    }

    /// Returns the elements, which have to be of this type.
    pub fn elements<T: Element>(&self) -> Result<&[T]> {
        check_element::<T>(self.dtype)?;
        let count = self.bytes().len() / std::mem::size_of::<T>();
        // Safety: the library wrote such elements, at a multiple of 64 bytes.
        Ok(unsafe { slice::from_raw_parts(self.data.cast(), count) })
    }

    /// Views it as an input of the next run.
    pub fn as_tensor(&self) -> Tensor<'_> {
        Tensor {
            data: self.bytes(),
            dtype: self.dtype,
            sizes: self.sizes(),
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // Safety: nothing else frees it.
        unsafe { ffi::tvmfuse_free(self.data.cast()) }
    }
}

/// Returns places for results that the library is to allocate.
pub(crate) fn places(count: usize) -> Vec<ffi::Tensor> {
    let empty = ffi::Tensor {
        data: ptr::null_mut(),
        dtype: DType::new(0, 0),
        rank: 0,
        sizes: ptr::null(),
    };
    vec![empty; count]
}
