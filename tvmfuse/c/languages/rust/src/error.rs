//! What can go wrong, in the library's words.

use std::ffi::CStr;
use std::fmt;
use std::os::raw::c_int;

use crate::ffi;

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// The arguments do not fit the function, or the model.
    InvalidArgument = 1,
    /// The system does not give the file.
    CannotRead = 2,
    /// The file is truncated, altered, or no compiled model.
    Damaged = 3,
    /// The file is whole, and cannot be run here or from C.
    Incompatible = 4,
    /// The model stopped as it ran.
    RunFailed = 5,
    /// There is no memory left.
    OutOfMemory = 6,
}

/// A failure of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind it was.
    pub status: Status,
    /// What was expected and found.
    pub words: String,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.words)
    }
}

impl std::error::Error for Error {}

/// What a function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;

pub(crate) fn invalid<T>(words: String) -> Result<T> {
    Err(Error {
        status: Status::InvalidArgument,
        words,
    })
}

/// Turns the status of a call that this thread just made into a result.
pub(crate) fn check(status: c_int) -> Result<()> {
    let status = match status {
        0 => return Ok(()),
        1 => Status::InvalidArgument,
        2 => Status::CannotRead,
        3 => Status::Damaged,
        4 => Status::Incompatible,
        6 => Status::OutOfMemory,
        _ => Status::RunFailed,
    };
    // Safety: the text ends with a zero, and stays until this thread's next call.
    let words = unsafe { CStr::from_ptr(ffi::tvmfuse_last_error()) };
    let words = words.to_string_lossy().into_owned();
    Err(Error { status, words })
}
