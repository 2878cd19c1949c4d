//! A bound run in Rust, of a model of two float32 inputs [n, k] and [m, k]: the path is MODEL.

use tvmfuse::{Model, Options, Result, Status, Tensor, TensorMut};

fn open() -> Result<Model> {
    let options = Options { threads: 2, check_digest: false };
    Model::open_with(std::env::var_os("MODEL").unwrap(), options)
}

#[test]
fn a_bound_run_reads_its_inputs_anew_and_outlives_its_model() -> Result<()> {
    let model = open()?;
    let (mut a, mut b) = ([1f32, 2., 3., 4., 5., 6.], [7f32, 8., 9.]);
    let copy = a;
    let (mut shares, mut sums) = ([0f32; 9], [0f32; 3]);
    let others = [7f32, 8., 9.];
    let mut bound = model.bind_into(
        vec![TensorMut::new(&mut a, &[2, 3])?, TensorMut::new(&mut b, &[1, 3])?],
        vec![TensorMut::new(&mut shares, &[3, 3])?, TensorMut::new(&mut sums, &[3])?],
    )?;
    for first in [1f32, -4.] {
        bound.input::<f32>(0)?[0] = first;
        let mut given = copy;
        given[0] = first;
        let inputs = [Tensor::new(&given, &[2, 3])?, Tensor::new(&others, &[1, 3])?];
        let expected = model.run(&inputs)?;
        bound.run()?;
        assert_eq!(bound.output::<f32>(0)?, expected[0].elements::<f32>()?);
        assert_eq!(bound.output::<f32>(1)?, expected[1].elements::<f32>()?);
    }
    drop(model);
    bound.run()
}

#[test]
fn the_library_allocates_results() -> Result<()> {
    let (mut a, mut b) = ([1f32; 6], [2f32; 3]);
    let model = open()?;
    let inputs = vec![TensorMut::new(&mut a, &[2, 3])?, TensorMut::new(&mut b, &[1, 3])?];
    let mut bound = model.bind(inputs)?;
    bound.run()?;
    let mut again = [0f32; 9];
    let mut sums = [0f32; 3];
    model.run_into(
        &[Tensor::new(&[1f32; 6], &[2, 3])?, Tensor::new(&[2f32; 3], &[1, 3])?],
        &mut [TensorMut::new(&mut again, &[3, 3])?, TensorMut::new(&mut sums, &[3])?],
    )?;
    assert_eq!(bound.output::<f32>(0)?, again);
    Ok(())
}

#[test]
fn a_result_is_an_input_of_the_next_run() -> Result<()> {
    let model = open()?;
    let x = [1f32, 2., 3., 4., 5., 6.];
    let x = Tensor::new(&x, &[2, 3])?;
    let first = model.run(&[x, x])?;
    let second = model.run(&[first[0].as_tensor(), x])?;
    assert_eq!(second[0].sizes(), [6, 3]);
    Ok(())
}

#[test]
fn threads_run_one_model() -> Result<()> {
    let model = open()?;
    let x = [1f32; 3];
    let x = Tensor::new(&x, &[1, 3])?;
    let expected = model.run(&[x, x])?;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let found = model.run(&[x, x]).unwrap();
                assert_eq!(found[0].bytes(), expected[0].bytes());
            });
        }
    });
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused_in_words() -> Result<()> {
    let data = [0f32; 6];
    let wrong = Tensor::new(&data, &[2, 4]).unwrap_err();
    assert_eq!(wrong.status, Status::InvalidArgument);
    assert_eq!(wrong.to_string(), "data: sizes [2, 4] take 32 bytes, found 24");
    assert!(Tensor::new(&data, &[-2, -3]).is_err());
    assert!(Tensor::new(&data, &[i64::MAX, i64::MAX]).is_err());
    let x = Tensor::new(&data, &[2, 3])?;
    let results = open()?.run(&[x, x])?;
    assert!(results[0].elements::<f64>().unwrap_err().words.starts_with("elements: asked for"));
    assert_eq!(Model::open("a\0b").unwrap_err().status, Status::InvalidArgument);
    assert_eq!(Model::open("not/there").unwrap_err().status, Status::CannotRead);
    Ok(())
}

#[test]
fn caches_stay_where_they_are() -> Result<()> {
    let model = Model::open(std::env::var("CACHES").unwrap())?;
    let shared: Vec<_> = (0..5).map(|place| model.shared_input(place)).collect();
    assert_eq!(shared, [None, Some(2), Some(3), None, None]);
    let (mut keys, mut values) = ([0f32; 32], [0f32; 32]);
    for step in 0i64..4 {
        let (mut x, mut at) = ([1f32 + step as f32; 8], [step]);
        let expected = model.run(&[
            Tensor::new(&x, &[1, 8])?,
            Tensor::new(&at, &[1, 1])?,
            Tensor::new(&keys, &[4, 8])?,
            Tensor::new(&values, &[4, 8])?,
        ])?;
        let results = model.run_in_place(&mut [
            TensorMut::new(&mut x, &[1, 8])?,
            TensorMut::new(&mut at, &[1, 1])?,
            TensorMut::new(&mut keys, &[4, 8])?,
            TensorMut::new(&mut values, &[4, 8])?,
        ])?;
        assert!(results[1].is_none() && results[2].is_none());
        for place in [0, 3] {
            let result = results[place].as_ref().unwrap();
            assert_eq!(result.bytes(), expected[place].bytes());
        }
        assert_eq!(expected[1].elements::<f32>()?, keys);
        assert_eq!(expected[2].elements::<f32>()?, values);
    }
    Ok(())
}

#[test]
fn an_input_with_a_default_may_be_given() -> Result<()> {
    let model = Model::open(std::env::var("DEFAULTS").unwrap())?;
    let names: Vec<_> = model.overridable()?.into_iter().map(|spec| spec.name).collect();
    assert_eq!(names, ["factor", "ids"]);
    let (x, factor) = ([1f32; 15], [0f32; 3]);
    let results = model.run(&[Tensor::new(&x, &[5, 3])?, Tensor::new(&factor, &[3])?])?;
    assert_eq!(results[0].elements::<f32>()?, [1f32; 12]);
    Ok(())
}
