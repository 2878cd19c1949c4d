; Made by .ci/native from the C files whose SHA-256 is 9b08101a19f5fc89b1e65448cd3f99b733382e72c71265a8c693123c7c887ae1
; ModuleID = 'native.c'
source_filename = "native.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.17.0"

%struct.anon = type { ptr, ptr }
%struct.anon.0 = type { ptr, ptr, ptr }
%struct.Any = type { i32, i32, %union.anon }
%union.anon = type { i64 }
%struct.anon.2 = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.Tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }
%struct.Input = type { i64, %struct.Tensor, ptr }
%struct.Weight = type { i64, ptr, i64, ptr }
%struct.Result = type { ptr, ptr }
%struct.Region = type { ptr, ptr, i64 }
%struct.Shape = type { %struct.Object, ptr, i64, [0 x i64] }
%struct.Object = type { i64, i32, i32, ptr }
%struct.Choice = type { ptr, ptr }
%struct.timespec = type { i64, i64 }
%struct.__sigset_t = type { [16 x i64] }
%struct.Group = type { ptr, i32 }
%struct.Job = type { ptr, ptr, %struct.Group, ptr, i32, i32, i64, i32, [4 x i8], [64 x %struct.Share] }
%struct.Share = type { i32, i32, [56 x i8] }
%struct.Past = type { ptr, i64 }

@recorder = internal constant %struct.anon { ptr @record, ptr @recorded }, align 8
@once = internal global i32 0, align 4
@launcher = internal constant %struct.anon.0 { ptr @install, ptr @make_pool, ptr @use }, align 8
@.str = private unnamed_addr constant [11 x i8] c"quick_call\00", align 1
@.str.1 = private unnamed_addr constant [15 x i8] c"watched_memory\00", align 1
@__const.__tvm_ffi_tvmfuse_sized_tensor.begin = private unnamed_addr constant %struct.Any { i32 1, i32 0, %union.anon zeroinitializer }, align 8
@retain = internal unnamed_addr global ptr null, align 8
@__TVMFFIErrorSetRaisedFromCStr = weak local_unnamed_addr global ptr null, align 8
@chosen = internal global i32 0, align 4
@tvm = internal unnamed_addr global ptr null, align 8
@release = internal unnamed_addr global ptr null, align 8
@.str.2 = private unnamed_addr constant [13 x i8] c"RuntimeError\00", align 1
@.str.3 = private unnamed_addr constant [34 x i8] c"a piece of a parallel loop failed\00", align 1
@.str.4 = private unnamed_addr constant [8 x i8] c"tvmfuse\00", align 1
@.str.5 = private unnamed_addr constant [28 x i8] c"/proc/thread-self/schedstat\00", align 1
@python = internal unnamed_addr global %struct.anon.2 zeroinitializer, align 8
@.str.6 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.7 = private unnamed_addr constant [14 x i8] c"out of memory\00", align 1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_recorder(ptr noundef readnone captures(none) %0, ptr noundef readnone captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #0 {
  store i32 1, ptr %3, align 8, !tbaa !6
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %5, align 4, !tbaa !6
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 ptrtoint (ptr @recorder to i64), ptr %6, align 8, !tbaa !10
  ret i32 0
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1

; Function Attrs: nounwind uwtable
define noundef i32 @__tvm_ffi_tvmfuse_launcher(ptr noundef readnone captures(none) %0, ptr noundef readnone captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #2 {
  %5 = tail call i32 @pthread_once(ptr noundef nonnull @once, ptr noundef nonnull @make_key) #18
  store i32 1, ptr %3, align 8, !tbaa !6
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %6, align 4, !tbaa !6
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 ptrtoint (ptr @launcher to i64), ptr %7, align 8, !tbaa !10
  ret i32 0
}

declare i32 @pthread_once(ptr noundef, ptr noundef) local_unnamed_addr #3

; Function Attrs: nounwind uwtable
define internal void @make_key() #2 {
  %1 = tail call i32 @pthread_key_create(ptr noundef nonnull @chosen, ptr noundef null) #18
  ret void
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_known(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #4 {
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %6 = load ptr, ptr %5, align 8, !tbaa !10
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %8 = add nsw i32 %2, -1
  %9 = tail call fastcc i32 @known(ptr noundef %6, ptr noundef nonnull %7, i32 noundef %8)
  %10 = zext nneg i32 %9 to i64
  store i32 2, ptr %3, align 8, !tbaa !6
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %11, align 4, !tbaa !6
  %12 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 %10, ptr %12, align 8, !tbaa !10
  ret i32 0
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define internal fastcc range(i32 0, 2) i32 @known(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef range(i32 -2147483648, 2147483647) %2) unnamed_addr #5 {
  %4 = load i64, ptr %0, align 8, !tbaa !11
  %5 = icmp sgt i64 %4, -1
  br i1 %5, label %6, label %110

6:                                                ; preds = %3
  %7 = icmp sgt i32 %2, 0
  %8 = zext nneg i32 %2 to i64
  br label %9

9:                                                ; preds = %6, %105
  %10 = phi i64 [ %4, %6 ], [ %108, %105 ]
  %11 = phi ptr [ %0, %6 ], [ %107, %105 ]
  br i1 %7, label %12, label %102

12:                                               ; preds = %9
  %13 = getelementptr inbounds nuw i8, ptr %11, i64 8
  br label %14

14:                                               ; preds = %12, %94
  %15 = phi i64 [ 0, %12 ], [ %96, %94 ]
  %16 = phi ptr [ %13, %12 ], [ %95, %94 ]
  %17 = getelementptr inbounds nuw %struct.Any, ptr %1, i64 %15
  %18 = load i32, ptr %17, align 8, !tbaa !13
  switch i32 %18, label %100 [
    i32 7, label %23
    i32 70, label %19
  ]

19:                                               ; preds = %14
  %20 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %21 = load ptr, ptr %20, align 8, !tbaa !10
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 24
  br label %27

23:                                               ; preds = %14
  %24 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %25 = load ptr, ptr %24, align 8, !tbaa !10
  %26 = icmp eq ptr %25, null
  br i1 %26, label %100, label %27

27:                                               ; preds = %19, %23
  %28 = phi ptr [ %22, %19 ], [ %25, %23 ]
  %29 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %30 = load i32, ptr %29, align 8, !tbaa !15
  %31 = sext i32 %30 to i64
  %32 = load i64, ptr %16, align 8, !tbaa !11
  %33 = icmp eq i64 %32, %31
  br i1 %33, label %34, label %100

34:                                               ; preds = %27
  %35 = getelementptr inbounds nuw i8, ptr %28, i64 12
  %36 = load i32, ptr %35, align 4, !tbaa !20
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %39 = load i64, ptr %38, align 8, !tbaa !11
  %40 = icmp eq i64 %39, %37
  br i1 %40, label %41, label %100

41:                                               ; preds = %34
  %42 = getelementptr inbounds nuw i8, ptr %28, i64 20
  %43 = load i32, ptr %42, align 4, !tbaa !21
  %44 = zext i32 %43 to i64
  %45 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %46 = load i64, ptr %45, align 8, !tbaa !11
  %47 = icmp eq i64 %46, %44
  br i1 %47, label %48, label %100

48:                                               ; preds = %41
  %49 = getelementptr inbounds nuw i8, ptr %28, i64 16
  %50 = load i32, ptr %49, align 8, !tbaa !22
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds nuw i8, ptr %16, i64 24
  %53 = load i64, ptr %52, align 8, !tbaa !11
  %54 = icmp eq i64 %53, %51
  br i1 %54, label %55, label %100

55:                                               ; preds = %48
  %56 = getelementptr inbounds nuw i8, ptr %16, i64 32
  %57 = icmp slt i32 %50, 1
  br i1 %57, label %84, label %58

58:                                               ; preds = %55
  %59 = getelementptr inbounds nuw i8, ptr %28, i64 24
  %60 = load ptr, ptr %59, align 8, !tbaa !23
  %61 = getelementptr inbounds nuw i8, ptr %28, i64 32
  %62 = zext nneg i32 %50 to i64
  br label %63

63:                                               ; preds = %81, %58
  %64 = phi i64 [ %62, %58 ], [ %66, %81 ]
  %65 = phi i64 [ 1, %58 ], [ %82, %81 ]
  %66 = add nsw i64 %64, -1
  %67 = getelementptr inbounds nuw i64, ptr %60, i64 %66
  %68 = load i64, ptr %67, align 8, !tbaa !11
  %69 = getelementptr inbounds nuw i64, ptr %56, i64 %66
  %70 = load i64, ptr %69, align 8, !tbaa !11
  %71 = icmp eq i64 %68, %70
  br i1 %71, label %72, label %98

72:                                               ; preds = %63
  %73 = load ptr, ptr %61, align 8, !tbaa !24
  %74 = icmp eq ptr %73, null
  %75 = icmp eq i64 %68, 1
  %76 = or i1 %75, %74
  br i1 %76, label %81, label %77

77:                                               ; preds = %72
  %78 = getelementptr inbounds nuw i64, ptr %73, i64 %66
  %79 = load i64, ptr %78, align 8, !tbaa !11
  %80 = icmp eq i64 %79, %65
  br i1 %80, label %81, label %98

81:                                               ; preds = %77, %72
  %82 = mul nsw i64 %68, %65
  %83 = icmp samesign ult i64 %64, 2
  br i1 %83, label %84, label %63, !llvm.loop !25

84:                                               ; preds = %81, %55
  %85 = load ptr, ptr %28, align 8, !tbaa !27
  %86 = ptrtoint ptr %85 to i64
  %87 = getelementptr inbounds nuw i8, ptr %28, i64 40
  %88 = load i64, ptr %87, align 8, !tbaa !28
  %89 = add i64 %88, %86
  %90 = icmp ne i64 %89, 0
  %91 = and i64 %89, 63
  %92 = icmp eq i64 %91, 0
  %93 = and i1 %90, %92
  br i1 %93, label %94, label %100

94:                                               ; preds = %84
  %95 = getelementptr inbounds i64, ptr %56, i64 %51
  %96 = add nuw nsw i64 %15, 1
  %97 = icmp eq i64 %96, %8
  br i1 %97, label %110, label %14, !llvm.loop !29

98:                                               ; preds = %77, %63
  %99 = trunc nuw nsw i64 %15 to i32
  br label %102

100:                                              ; preds = %14, %84, %27, %34, %41, %48, %23
  %101 = trunc nuw nsw i64 %15 to i32
  br label %102

102:                                              ; preds = %100, %98, %9
  %103 = phi i32 [ 0, %9 ], [ %99, %98 ], [ %101, %100 ]
  %104 = icmp eq i32 %103, %2
  br i1 %104, label %110, label %105

105:                                              ; preds = %102
  %106 = getelementptr i64, ptr %11, i64 %10
  %107 = getelementptr i8, ptr %106, i64 8
  %108 = load i64, ptr %107, align 8, !tbaa !11
  %109 = icmp sgt i64 %108, -1
  br i1 %109, label %9, label %110, !llvm.loop !30

110:                                              ; preds = %102, %105, %94, %3
  %111 = phi i32 [ 0, %3 ], [ 1, %94 ], [ 0, %105 ], [ 1, %102 ]
  ret i32 %111
}

; Function Attrs: nounwind uwtable
define i32 @__tvm_ffi_tvmfuse_call(ptr noundef readnone captures(none) %0, ptr noundef %1, i32 noundef %2, ptr noundef %3) local_unnamed_addr #2 {
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %6 = load ptr, ptr %5, align 8, !tbaa !10
  %7 = icmp eq ptr %6, null
  br i1 %7, label %8, label %10

8:                                                ; preds = %4
  %9 = add nsw i32 %2, -2
  br label %15

10:                                               ; preds = %4
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %12 = add nsw i32 %2, -2
  %13 = tail call fastcc i32 @known(ptr noundef nonnull %6, ptr noundef nonnull %11, i32 noundef %12)
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %44, label %15

15:                                               ; preds = %8, %10
  %16 = phi i32 [ %9, %8 ], [ %12, %10 ]
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %18 = load ptr, ptr %17, align 8, !tbaa !10
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %20 = getelementptr inbounds nuw i8, ptr %18, i64 24
  %21 = load ptr, ptr %20, align 8, !tbaa !31
  %22 = tail call i32 %21(ptr noundef %18, ptr noundef nonnull %19, i32 noundef %16, ptr noundef %3) #18
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %24, label %44

24:                                               ; preds = %15
  %25 = load i32, ptr %3, align 8, !tbaa !13
  %26 = icmp eq i32 %25, 71
  br i1 %26, label %27, label %44

27:                                               ; preds = %24
  %28 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %29 = load ptr, ptr %28, align 8, !tbaa !10
  %30 = getelementptr inbounds nuw i8, ptr %29, i64 32
  %31 = load i64, ptr %30, align 8, !tbaa !32
  %32 = icmp eq i64 %31, 1
  br i1 %32, label %33, label %44

33:                                               ; preds = %27
  %34 = getelementptr inbounds nuw i8, ptr %29, i64 24
  %35 = load ptr, ptr %34, align 8, !tbaa !34
  %36 = load i32, ptr %35, align 8, !tbaa !13
  %37 = icmp eq i32 %36, 70
  br i1 %37, label %38, label %44

38:                                               ; preds = %33
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, ptr noundef nonnull align 8 dereferenceable(16) %35, i64 16, i1 false), !tbaa.struct !35
  %39 = load ptr, ptr @retain, align 8, !tbaa !31
  %40 = load ptr, ptr %28, align 8, !tbaa !10
  %41 = tail call i32 %39(ptr noundef %40) #18
  %42 = load ptr, ptr @release, align 8, !tbaa !31
  %43 = tail call i32 %42(ptr noundef nonnull %29) #18
  br label %44

44:                                               ; preds = %38, %33, %27, %24, %15, %10
  %45 = phi i32 [ 0, %10 ], [ %22, %15 ], [ 0, %24 ], [ 0, %27 ], [ 0, %33 ], [ 0, %38 ]
  ret i32 %45
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #6

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #6

; Function Attrs: mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_quick_call(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #7 {
  %5 = tail call noalias dereferenceable_or_null(32) ptr @malloc(i64 noundef 32) #23
  %6 = icmp eq ptr %5, null
  br i1 %6, label %12, label %7

7:                                                ; preds = %4
  store ptr @.str, ptr %5, align 8, !tbaa !36
  %8 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store ptr @quick_call, ptr %8, align 8, !tbaa !31
  %9 = getelementptr inbounds nuw i8, ptr %5, i64 16
  store i32 8, ptr %9, align 8, !tbaa !6
  %10 = getelementptr inbounds nuw i8, ptr %5, i64 20
  store i32 0, ptr %10, align 4
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store ptr null, ptr %11, align 8, !tbaa !36
  br label %12

12:                                               ; preds = %4, %7
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %14 = load ptr, ptr %13, align 8, !tbaa !10
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(96) @python, ptr noundef nonnull align 1 dereferenceable(96) %14, i64 96, i1 false)
  %15 = ptrtoint ptr %5 to i64
  store i32 1, ptr %3, align 8, !tbaa !6
  %16 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %16, align 4, !tbaa !6
  %17 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 %15, ptr %17, align 8, !tbaa !10
  ret i32 0
}

; Function Attrs: nounwind uwtable
define internal ptr @quick_call(ptr noundef %0, ptr noundef %1) #2 {
  %3 = alloca %struct.Any, align 8
  %4 = alloca %struct.Tensor, align 8
  %5 = alloca %struct.Tensor, align 8
  %6 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 64), align 8, !tbaa !37
  %7 = tail call ptr %6(ptr noundef %0) #18
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %9 = load i64, ptr %8, align 8, !tbaa !39
  %10 = add nsw i64 %9, 1
  %11 = alloca ptr, i64 %10, align 16
  %12 = getelementptr inbounds nuw i8, ptr %7, i64 48
  %13 = load i64, ptr %12, align 8, !tbaa !41
  %14 = add nsw i64 %13, 1
  %15 = alloca ptr, i64 %14, align 16
  %16 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !42
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #18
  %17 = icmp sgt i64 %9, 0
  br i1 %17, label %18, label %99

18:                                               ; preds = %2
  %19 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %20 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %21 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %22 = getelementptr inbounds nuw i8, ptr %5, i64 20
  %23 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %24 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %25 = getelementptr inbounds nuw i8, ptr %5, i64 24
  br label %26

26:                                               ; preds = %18, %95
  %27 = phi i64 [ 0, %18 ], [ %96, %95 ]
  %28 = load ptr, ptr %19, align 8, !tbaa !43
  %29 = getelementptr inbounds nuw %struct.Input, ptr %28, i64 %27
  %30 = load i64, ptr %29, align 8, !tbaa !44
  %31 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !46
  %32 = call ptr %31(ptr noundef %1, i64 noundef %30) #18
  %33 = icmp eq ptr %32, null
  br i1 %33, label %42, label %34

34:                                               ; preds = %26
  %35 = load ptr, ptr @python, align 8, !tbaa !47
  %36 = call i32 %35(ptr noundef nonnull %32, ptr noundef nonnull %5) #18
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %38, label %42

38:                                               ; preds = %34
  %39 = load ptr, ptr %5, align 8, !tbaa !27
  %40 = load i64, ptr %20, align 8, !tbaa !28
  %41 = getelementptr inbounds nuw i8, ptr %39, i64 %40
  br label %44

42:                                               ; preds = %34, %26
  %43 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 88), align 8, !tbaa !48
  call void %43() #18
  br label %44

44:                                               ; preds = %38, %42
  %45 = phi ptr [ null, %42 ], [ %41, %38 ]
  %46 = getelementptr inbounds nuw ptr, ptr %11, i64 %27
  store ptr %45, ptr %46, align 8, !tbaa !36
  %47 = icmp ne ptr %45, null
  %48 = ptrtoint ptr %45 to i64
  %49 = and i64 %48, 63
  %50 = icmp eq i64 %49, 0
  %51 = and i1 %47, %50
  %52 = load i32, ptr %21, align 8
  %53 = icmp eq i32 %52, 1
  %54 = select i1 %51, i1 %53, i1 false
  br i1 %54, label %55, label %329

55:                                               ; preds = %44
  %56 = load i32, ptr %22, align 4, !tbaa !21
  %57 = getelementptr inbounds nuw i8, ptr %29, i64 28
  %58 = load i32, ptr %57, align 4, !tbaa !21
  %59 = icmp eq i32 %56, %58
  br i1 %59, label %60, label %329

60:                                               ; preds = %55
  %61 = load i32, ptr %23, align 8, !tbaa !22
  %62 = getelementptr inbounds nuw i8, ptr %29, i64 24
  %63 = load i32, ptr %62, align 8, !tbaa !22
  %64 = icmp eq i32 %61, %63
  br i1 %64, label %65, label %329

65:                                               ; preds = %60
  %66 = icmp sgt i32 %61, 0
  br i1 %66, label %67, label %95

67:                                               ; preds = %65
  %68 = getelementptr inbounds nuw i8, ptr %29, i64 32
  %69 = load ptr, ptr %68, align 8, !tbaa !23
  %70 = load ptr, ptr %25, align 8, !tbaa !23
  %71 = getelementptr inbounds nuw i8, ptr %29, i64 40
  %72 = zext nneg i32 %61 to i64
  %73 = load ptr, ptr %24, align 8
  %74 = icmp eq ptr %73, null
  br label %75

75:                                               ; preds = %92, %67
  %76 = phi i64 [ 0, %67 ], [ %93, %92 ]
  %77 = getelementptr inbounds nuw i64, ptr %69, i64 %76
  %78 = load i64, ptr %77, align 8, !tbaa !11
  %79 = getelementptr inbounds nuw i64, ptr %70, i64 %76
  %80 = load i64, ptr %79, align 8, !tbaa !11
  %81 = icmp eq i64 %80, %78
  br i1 %81, label %82, label %329

82:                                               ; preds = %75
  %83 = icmp eq i64 %78, 1
  br i1 %83, label %92, label %84

84:                                               ; preds = %82
  br i1 %74, label %329, label %85

85:                                               ; preds = %84
  %86 = getelementptr inbounds nuw i64, ptr %73, i64 %76
  %87 = load i64, ptr %86, align 8, !tbaa !11
  %88 = load ptr, ptr %71, align 8, !tbaa !24
  %89 = getelementptr inbounds nuw i64, ptr %88, i64 %76
  %90 = load i64, ptr %89, align 8, !tbaa !11
  %91 = icmp eq i64 %87, %90
  br i1 %91, label %92, label %329

92:                                               ; preds = %85, %82
  %93 = add nuw nsw i64 %76, 1
  %94 = icmp eq i64 %93, %72
  br i1 %94, label %95, label %75, !llvm.loop !49

95:                                               ; preds = %92, %65
  %96 = add nuw nsw i64 %27, 1
  %97 = load i64, ptr %8, align 8, !tbaa !39
  %98 = icmp slt i64 %96, %97
  br i1 %98, label %26, label %99, !llvm.loop !50

99:                                               ; preds = %95, %2
  %100 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %101 = load i64, ptr %100, align 8, !tbaa !51
  %102 = icmp sgt i64 %101, 0
  br i1 %102, label %103, label %153

103:                                              ; preds = %99
  %104 = getelementptr inbounds nuw i8, ptr %7, i64 72
  %105 = getelementptr inbounds nuw i8, ptr %4, i64 40
  br label %106

106:                                              ; preds = %148, %103
  %107 = phi i64 [ 0, %103 ], [ %149, %148 ]
  %108 = load ptr, ptr %104, align 8, !tbaa !52
  %109 = getelementptr inbounds nuw %struct.Weight, ptr %108, i64 %107
  %110 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !46
  %111 = load i64, ptr %109, align 8, !tbaa !53
  %112 = call ptr %110(ptr noundef %1, i64 noundef %111) #18
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #18
  %113 = icmp eq ptr %112, null
  br i1 %113, label %124, label %114

114:                                              ; preds = %106
  %115 = getelementptr inbounds nuw i8, ptr %109, i64 8
  %116 = load ptr, ptr %115, align 8, !tbaa !55
  %117 = icmp eq ptr %112, %116
  br i1 %117, label %118, label %124

118:                                              ; preds = %114
  %119 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !56
  %120 = call ptr %119(ptr noundef nonnull %112) #18
  %121 = getelementptr inbounds nuw i8, ptr %109, i64 24
  %122 = load ptr, ptr %121, align 8, !tbaa !57
  %123 = icmp eq ptr %120, %122
  br i1 %123, label %148, label %152

124:                                              ; preds = %114, %106
  %125 = getelementptr inbounds nuw i8, ptr %109, i64 16
  %126 = load i64, ptr %125, align 8, !tbaa !58
  %127 = icmp eq i64 %126, 0
  br i1 %127, label %128, label %152

128:                                              ; preds = %124
  %129 = load i64, ptr %109, align 8, !tbaa !53
  %130 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !46
  %131 = call ptr %130(ptr noundef %1, i64 noundef %129) #18
  %132 = icmp eq ptr %131, null
  br i1 %132, label %141, label %133

133:                                              ; preds = %128
  %134 = load ptr, ptr @python, align 8, !tbaa !47
  %135 = call i32 %134(ptr noundef nonnull %131, ptr noundef nonnull %4) #18
  %136 = icmp eq i32 %135, 0
  br i1 %136, label %137, label %141

137:                                              ; preds = %133
  %138 = load ptr, ptr %4, align 8, !tbaa !27
  %139 = load i64, ptr %105, align 8, !tbaa !28
  %140 = getelementptr inbounds nuw i8, ptr %138, i64 %139
  br label %143

141:                                              ; preds = %133, %128
  %142 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 88), align 8, !tbaa !48
  call void %142() #18
  br label %143

143:                                              ; preds = %141, %137
  %144 = phi ptr [ null, %141 ], [ %140, %137 ]
  %145 = getelementptr inbounds nuw i8, ptr %109, i64 24
  %146 = load ptr, ptr %145, align 8, !tbaa !57
  %147 = icmp eq ptr %144, %146
  br i1 %147, label %148, label %152

148:                                              ; preds = %143, %118
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #18
  %149 = add nuw nsw i64 %107, 1
  %150 = load i64, ptr %100, align 8, !tbaa !51
  %151 = icmp slt i64 %149, %150
  br i1 %151, label %106, label %153, !llvm.loop !59

152:                                              ; preds = %118, %124, %143
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #18
  br label %329

153:                                              ; preds = %148, %99
  %154 = load i64, ptr %12, align 8, !tbaa !41
  %155 = icmp sgt i64 %154, 0
  br i1 %155, label %156, label %179

156:                                              ; preds = %153
  %157 = getelementptr inbounds nuw i8, ptr %7, i64 80
  br label %158

158:                                              ; preds = %168, %156
  %159 = phi i64 [ 0, %156 ], [ %169, %168 ]
  %160 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 56), align 8, !tbaa !60
  %161 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 16), align 8, !tbaa !61
  %162 = load ptr, ptr %157, align 8, !tbaa !62
  %163 = getelementptr inbounds nuw %struct.Result, ptr %162, i64 %159
  %164 = load ptr, ptr %163, align 8, !tbaa !63
  %165 = call ptr %160(ptr noundef %161, ptr noundef %164) #18
  %166 = getelementptr inbounds nuw ptr, ptr %15, i64 %159
  store ptr %165, ptr %166, align 8, !tbaa !31
  %167 = icmp eq ptr %165, null
  br i1 %167, label %172, label %168

168:                                              ; preds = %158
  %169 = add nuw nsw i64 %159, 1
  %170 = load i64, ptr %12, align 8, !tbaa !41
  %171 = icmp slt i64 %169, %170
  br i1 %171, label %158, label %175, !llvm.loop !65

172:                                              ; preds = %158
  %173 = load i64, ptr %12, align 8, !tbaa !41
  %174 = icmp slt i64 %159, %173
  br i1 %174, label %318, label %175

175:                                              ; preds = %168, %172
  %176 = phi i64 [ %159, %172 ], [ %170, %168 ]
  %177 = phi i64 [ %173, %172 ], [ %170, %168 ]
  %178 = icmp sgt i64 %177, 0
  br i1 %178, label %190, label %179

179:                                              ; preds = %201, %153, %175
  %180 = phi i64 [ %176, %175 ], [ %154, %153 ], [ %176, %201 ]
  %181 = load i64, ptr %8, align 8, !tbaa !39
  %182 = icmp sgt i64 %181, 0
  br i1 %182, label %183, label %254

183:                                              ; preds = %179
  %184 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %185 = load ptr, ptr %184, align 8, !tbaa !43
  %186 = and i64 %181, 3
  %187 = icmp ult i64 %181, 4
  br i1 %187, label %240, label %188

188:                                              ; preds = %183
  %189 = and i64 %181, 9223372036854775804
  br label %209

190:                                              ; preds = %175, %201
  %191 = phi i64 [ %206, %201 ], [ 0, %175 ]
  %192 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !56
  %193 = getelementptr inbounds nuw ptr, ptr %15, i64 %191
  %194 = load ptr, ptr %193, align 8, !tbaa !31
  %195 = call ptr %192(ptr noundef %194) #18
  %196 = icmp eq ptr %195, null
  %197 = ptrtoint ptr %195 to i64
  %198 = and i64 %197, 63
  %199 = icmp ne i64 %198, 0
  %200 = or i1 %196, %199
  br i1 %200, label %315, label %201

201:                                              ; preds = %190
  %202 = load ptr, ptr %157, align 8, !tbaa !62
  %203 = getelementptr inbounds nuw %struct.Result, ptr %202, i64 %191
  %204 = getelementptr inbounds nuw i8, ptr %203, i64 8
  %205 = load ptr, ptr %204, align 8, !tbaa !66
  store ptr %195, ptr %205, align 8, !tbaa !27
  %206 = add nuw nsw i64 %191, 1
  %207 = load i64, ptr %12, align 8, !tbaa !41
  %208 = icmp slt i64 %206, %207
  br i1 %208, label %190, label %179, !llvm.loop !67

209:                                              ; preds = %209, %188
  %210 = phi i64 [ 0, %188 ], [ %235, %209 ]
  %211 = phi i64 [ 0, %188 ], [ %236, %209 ]
  %212 = getelementptr inbounds nuw ptr, ptr %11, i64 %210
  %213 = load ptr, ptr %212, align 16, !tbaa !36
  %214 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %210
  %215 = getelementptr inbounds nuw i8, ptr %214, i64 56
  %216 = load ptr, ptr %215, align 8, !tbaa !68
  store ptr %213, ptr %216, align 8, !tbaa !27
  %217 = or disjoint i64 %210, 1
  %218 = getelementptr inbounds nuw ptr, ptr %11, i64 %217
  %219 = load ptr, ptr %218, align 8, !tbaa !36
  %220 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %217
  %221 = getelementptr inbounds nuw i8, ptr %220, i64 56
  %222 = load ptr, ptr %221, align 8, !tbaa !68
  store ptr %219, ptr %222, align 8, !tbaa !27
  %223 = or disjoint i64 %210, 2
  %224 = getelementptr inbounds nuw ptr, ptr %11, i64 %223
  %225 = load ptr, ptr %224, align 16, !tbaa !36
  %226 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %223
  %227 = getelementptr inbounds nuw i8, ptr %226, i64 56
  %228 = load ptr, ptr %227, align 8, !tbaa !68
  store ptr %225, ptr %228, align 8, !tbaa !27
  %229 = or disjoint i64 %210, 3
  %230 = getelementptr inbounds nuw ptr, ptr %11, i64 %229
  %231 = load ptr, ptr %230, align 8, !tbaa !36
  %232 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %229
  %233 = getelementptr inbounds nuw i8, ptr %232, i64 56
  %234 = load ptr, ptr %233, align 8, !tbaa !68
  store ptr %231, ptr %234, align 8, !tbaa !27
  %235 = add nuw nsw i64 %210, 4
  %236 = add i64 %211, 4
  %237 = icmp eq i64 %236, %189
  br i1 %237, label %238, label %209, !llvm.loop !69

238:                                              ; preds = %209
  %239 = icmp eq i64 %186, 0
  br i1 %239, label %254, label %240

240:                                              ; preds = %238, %183
  %241 = phi i64 [ 0, %183 ], [ %235, %238 ]
  %242 = icmp ne i64 %186, 0
  call void @llvm.assume(i1 %242)
  br label %243

243:                                              ; preds = %243, %240
  %244 = phi i64 [ %241, %240 ], [ %251, %243 ]
  %245 = phi i64 [ 0, %240 ], [ %252, %243 ]
  %246 = getelementptr inbounds nuw ptr, ptr %11, i64 %244
  %247 = load ptr, ptr %246, align 8, !tbaa !36
  %248 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %244
  %249 = getelementptr inbounds nuw i8, ptr %248, i64 56
  %250 = load ptr, ptr %249, align 8, !tbaa !68
  store ptr %247, ptr %250, align 8, !tbaa !27
  %251 = add nuw nsw i64 %244, 1
  %252 = add i64 %245, 1
  %253 = icmp eq i64 %252, %186
  br i1 %253, label %254, label %243, !llvm.loop !70

254:                                              ; preds = %238, %243, %179
  %255 = load i32, ptr @chosen, align 4, !tbaa !6
  %256 = call ptr @pthread_getspecific(i32 noundef %255) #18
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #18
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, i8 0, i64 16, i1 false)
  %257 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %258 = load ptr, ptr %257, align 8, !tbaa !72
  %259 = load i32, ptr @chosen, align 4, !tbaa !6
  %260 = call i32 @pthread_setspecific(i32 noundef %259, ptr noundef %258) #18
  %261 = load ptr, ptr %7, align 8, !tbaa !73
  %262 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %263 = load ptr, ptr %262, align 8, !tbaa !74
  %264 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %265 = load i64, ptr %264, align 8, !tbaa !75
  %266 = trunc i64 %265 to i32
  %267 = getelementptr inbounds nuw i8, ptr %261, i64 24
  %268 = load ptr, ptr %267, align 8, !tbaa !31
  %269 = call i32 %268(ptr noundef %261, ptr noundef %263, i32 noundef %266, ptr noundef nonnull %3) #18
  %270 = load i32, ptr @chosen, align 4, !tbaa !6
  %271 = call i32 @pthread_setspecific(i32 noundef %270, ptr noundef %256) #18
  %272 = icmp eq i32 %269, 0
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #18
  br i1 %272, label %273, label %315

273:                                              ; preds = %254
  %274 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 40), align 8, !tbaa !76
  %275 = getelementptr inbounds nuw i8, ptr %7, i64 56
  %276 = load i64, ptr %275, align 8, !tbaa !77
  %277 = call ptr %274(i64 noundef %276) #18
  %278 = icmp eq ptr %277, null
  br i1 %278, label %318, label %279

279:                                              ; preds = %273
  %280 = getelementptr inbounds nuw i8, ptr %7, i64 88
  %281 = load i64, ptr %275, align 8, !tbaa !77
  %282 = icmp sgt i64 %281, 0
  br i1 %282, label %287, label %318

283:                                              ; preds = %309
  %284 = add nuw nsw i64 %288, 1
  %285 = load i64, ptr %275, align 8, !tbaa !77
  %286 = icmp slt i64 %284, %285
  br i1 %286, label %287, label %318

287:                                              ; preds = %279, %283
  %288 = phi i64 [ %284, %283 ], [ 0, %279 ]
  %289 = load ptr, ptr %280, align 8, !tbaa !78
  %290 = getelementptr inbounds nuw i64, ptr %289, i64 %288
  %291 = load i64, ptr %290, align 8, !tbaa !11
  %292 = load i64, ptr %12, align 8, !tbaa !41
  %293 = sub nsw i64 %291, %292
  %294 = icmp slt i64 %291, 0
  br i1 %294, label %295, label %297

295:                                              ; preds = %287
  %296 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !42
  br label %305

297:                                              ; preds = %287
  %298 = icmp slt i64 %293, 0
  br i1 %298, label %299, label %302

299:                                              ; preds = %297
  %300 = getelementptr inbounds nuw ptr, ptr %15, i64 %291
  %301 = load ptr, ptr %300, align 8, !tbaa !31
  br label %305

302:                                              ; preds = %297
  %303 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !46
  %304 = call ptr %303(ptr noundef %1, i64 noundef %293) #18
  br label %305

305:                                              ; preds = %302, %299, %295
  %306 = phi ptr [ %296, %295 ], [ %301, %299 ], [ %304, %302 ]
  %307 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !79
  call void %307(ptr noundef %306) #18
  %308 = icmp eq ptr %306, null
  br i1 %308, label %313, label %309

309:                                              ; preds = %305
  %310 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 48), align 8, !tbaa !80
  %311 = call i32 %310(ptr noundef nonnull %277, i64 noundef %288, ptr noundef nonnull %306) #18
  %312 = icmp eq i32 %311, 0
  br i1 %312, label %283, label %313

313:                                              ; preds = %309, %305
  %314 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 80), align 8, !tbaa !81
  call void %314(ptr noundef nonnull %277) #18
  br label %318

315:                                              ; preds = %190, %254
  %316 = phi i64 [ %180, %254 ], [ %176, %190 ]
  %317 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !79
  call void %317(ptr noundef %16) #18
  br label %318

318:                                              ; preds = %283, %279, %313, %273, %172, %315
  %319 = phi i64 [ %316, %315 ], [ %159, %172 ], [ %180, %313 ], [ %180, %273 ], [ %180, %279 ], [ %180, %283 ]
  %320 = phi ptr [ %16, %315 ], [ null, %172 ], [ null, %313 ], [ null, %273 ], [ %277, %279 ], [ %277, %283 ]
  %321 = icmp eq i64 %319, 0
  br i1 %321, label %331, label %322

322:                                              ; preds = %318, %322
  %323 = phi i64 [ %325, %322 ], [ %319, %318 ]
  %324 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 80), align 8, !tbaa !81
  %325 = add nsw i64 %323, -1
  %326 = getelementptr inbounds ptr, ptr %15, i64 %325
  %327 = load ptr, ptr %326, align 8, !tbaa !31
  call void %324(ptr noundef %327) #18
  %328 = icmp eq i64 %325, 0
  br i1 %328, label %331, label %322, !llvm.loop !82

329:                                              ; preds = %60, %55, %44, %75, %84, %85, %152
  %330 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !79
  call void %330(ptr noundef %16) #18
  br label %331

331:                                              ; preds = %322, %318, %329
  %332 = phi ptr [ %16, %329 ], [ %320, %318 ], [ %320, %322 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #18
  ret ptr %332
}

; Function Attrs: mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_watched_memory(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #7 {
  %5 = tail call noalias dereferenceable_or_null(32) ptr @malloc(i64 noundef 32) #23
  %6 = icmp eq ptr %5, null
  br i1 %6, label %12, label %7

7:                                                ; preds = %4
  store ptr @.str.1, ptr %5, align 8, !tbaa !36
  %8 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store ptr @watched_memory, ptr %8, align 8, !tbaa !31
  %9 = getelementptr inbounds nuw i8, ptr %5, i64 16
  store i32 8, ptr %9, align 8, !tbaa !6
  %10 = getelementptr inbounds nuw i8, ptr %5, i64 20
  store i32 0, ptr %10, align 4
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store ptr null, ptr %11, align 8, !tbaa !36
  br label %12

12:                                               ; preds = %4, %7
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %14 = load ptr, ptr %13, align 8, !tbaa !10
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(96) @python, ptr noundef nonnull align 1 dereferenceable(96) %14, i64 96, i1 false)
  %15 = ptrtoint ptr %5 to i64
  store i32 1, ptr %3, align 8, !tbaa !6
  %16 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %16, align 4, !tbaa !6
  %17 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 %15, ptr %17, align 8, !tbaa !10
  ret i32 0
}

; Function Attrs: nounwind uwtable
define internal noundef ptr @watched_memory(ptr noundef %0, ptr noundef %1) #8 {
  %3 = alloca [32 x <4 x i64>], align 32
  %4 = alloca [32 x <4 x i64>], align 32
  %5 = alloca [32 x <4 x i64>], align 32
  %6 = alloca [32 x <4 x i64>], align 32
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 64), align 8, !tbaa !37
  %8 = tail call ptr %7(ptr noundef %0) #18
  %9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !42
  %10 = icmp eq ptr %1, %9
  br i1 %10, label %11, label %95

11:                                               ; preds = %2
  %12 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %13 = load ptr, ptr %12, align 8, !tbaa !83
  %14 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %15 = load i64, ptr %14, align 8, !tbaa !85
  %16 = shl i64 %15, 5
  tail call void @llvm.memset.p0.i64(ptr align 32 %13, i8 0, i64 %16, i1 false)
  %17 = load i64, ptr %8, align 8, !tbaa !86
  %18 = icmp sgt i64 %17, 0
  br i1 %18, label %19, label %220

19:                                               ; preds = %11
  %20 = getelementptr inbounds nuw i8, ptr %8, i64 24
  br label %21

21:                                               ; preds = %34, %19
  %22 = phi i64 [ %17, %19 ], [ %35, %34 ]
  %23 = phi i64 [ 0, %19 ], [ %36, %34 ]
  %24 = phi i64 [ 0, %19 ], [ %37, %34 ]
  %25 = load ptr, ptr %20, align 8, !tbaa !87
  %26 = getelementptr inbounds nuw %struct.Region, ptr %25, i64 %24
  %27 = getelementptr inbounds nuw i8, ptr %26, i64 16
  %28 = load i64, ptr %27, align 8, !tbaa !88
  %29 = icmp sgt i64 %28, 0
  br i1 %29, label %30, label %34

30:                                               ; preds = %21
  %31 = getelementptr inbounds nuw i8, ptr %26, i64 8
  br label %39

32:                                               ; preds = %86
  %33 = load i64, ptr %8, align 8, !tbaa !86
  br label %34

34:                                               ; preds = %32, %21
  %35 = phi i64 [ %22, %21 ], [ %33, %32 ]
  %36 = phi i64 [ %23, %21 ], [ %91, %32 ]
  %37 = add nuw nsw i64 %24, 1
  %38 = icmp slt i64 %37, %35
  br i1 %38, label %21, label %220, !llvm.loop !90

39:                                               ; preds = %86, %30
  %40 = phi i64 [ %28, %30 ], [ %93, %86 ]
  %41 = phi i64 [ %23, %30 ], [ %91, %86 ]
  %42 = phi i64 [ 0, %30 ], [ %92, %86 ]
  %43 = load ptr, ptr %12, align 8, !tbaa !83
  %44 = getelementptr inbounds <4 x i64>, ptr %43, i64 %41
  %45 = load <4 x i64>, ptr %44, align 32
  %46 = sub nsw i64 %40, %42
  %47 = icmp sgt i64 %46, 1023
  %48 = load ptr, ptr %31, align 8, !tbaa !91
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 %42
  br i1 %47, label %50, label %68

50:                                               ; preds = %39
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #18
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 32 dereferenceable(1024) %6, ptr noundef nonnull readonly align 1 dereferenceable(1024) %49, i64 1024, i1 false)
  %51 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %45, <4 x i64> %45, <4 x i64> splat (i64 27))
  br label %52

52:                                               ; preds = %52, %50
  %53 = phi i64 [ 0, %50 ], [ %65, %52 ]
  %54 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %50 ], [ %64, %52 ]
  %55 = phi <4 x i64> [ %51, %50 ], [ %63, %52 ]
  %56 = getelementptr inbounds nuw <4 x i64>, ptr %6, i64 %53
  %57 = load <4 x i64>, ptr %56, align 32, !tbaa !10
  %58 = xor <4 x i64> %57, %54
  %59 = and <4 x i64> %58, splat (i64 4294967295)
  %60 = lshr <4 x i64> %58, splat (i64 32)
  %61 = mul nuw <4 x i64> %59, %60
  %62 = add <4 x i64> %58, %55
  %63 = add <4 x i64> %62, %61
  %64 = add <4 x i64> %54, splat (i64 -1028001813962170200)
  %65 = add nuw nsw i64 %53, 1
  %66 = icmp eq i64 %65, 32
  br i1 %66, label %67, label %52, !llvm.loop !92

67:                                               ; preds = %52
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #18
  br label %86

68:                                               ; preds = %39
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #18
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 32 dereferenceable(1024) %5, i8 0, i64 1024, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 32 %5, ptr readonly align 1 %49, i64 range(i64 -9223372036854775808, 1025) %46, i1 false)
  %69 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %45, <4 x i64> %45, <4 x i64> splat (i64 27))
  br label %70

70:                                               ; preds = %70, %68
  %71 = phi i64 [ 0, %68 ], [ %83, %70 ]
  %72 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %68 ], [ %82, %70 ]
  %73 = phi <4 x i64> [ %69, %68 ], [ %81, %70 ]
  %74 = getelementptr inbounds nuw <4 x i64>, ptr %5, i64 %71
  %75 = load <4 x i64>, ptr %74, align 32, !tbaa !10
  %76 = xor <4 x i64> %75, %72
  %77 = and <4 x i64> %76, splat (i64 4294967295)
  %78 = lshr <4 x i64> %76, splat (i64 32)
  %79 = mul nuw <4 x i64> %77, %78
  %80 = add <4 x i64> %76, %73
  %81 = add <4 x i64> %80, %79
  %82 = add <4 x i64> %72, splat (i64 -1028001813962170200)
  %83 = add nuw nsw i64 %71, 1
  %84 = icmp eq i64 %83, 32
  br i1 %84, label %85, label %70, !llvm.loop !92

85:                                               ; preds = %70
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #18
  br label %86

86:                                               ; preds = %85, %67
  %87 = phi <4 x i64> [ %63, %67 ], [ %81, %85 ]
  store <4 x i64> %87, ptr %44, align 32
  %88 = add nsw i64 %41, 1
  %89 = load i64, ptr %14, align 8, !tbaa !85
  %90 = icmp eq i64 %88, %89
  %91 = select i1 %90, i64 0, i64 %88
  %92 = add nuw nsw i64 %42, 1024
  %93 = load i64, ptr %27, align 8, !tbaa !88
  %94 = icmp slt i64 %92, %93
  br i1 %94, label %39, label %32, !llvm.loop !93

95:                                               ; preds = %2
  %96 = load i64, ptr %8, align 8, !tbaa !86
  %97 = icmp sgt i64 %96, 0
  br i1 %97, label %103, label %98

98:                                               ; preds = %95
  %99 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %100 = load i64, ptr %99, align 8, !tbaa !94
  %101 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %102 = load i64, ptr %101, align 8, !tbaa !85
  br label %197

103:                                              ; preds = %95
  %104 = getelementptr inbounds nuw i8, ptr %8, i64 24
  %105 = load ptr, ptr %104, align 8, !tbaa !87
  br label %110

106:                                              ; preds = %110
  %107 = add nuw nsw i64 %112, 1
  %108 = load i64, ptr %8, align 8, !tbaa !86
  %109 = icmp slt i64 %107, %108
  br i1 %109, label %110, label %122, !llvm.loop !95

110:                                              ; preds = %106, %103
  %111 = phi ptr [ %105, %103 ], [ %117, %106 ]
  %112 = phi i64 [ 0, %103 ], [ %107, %106 ]
  %113 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !56
  %114 = getelementptr inbounds nuw %struct.Region, ptr %111, i64 %112
  %115 = load ptr, ptr %114, align 8, !tbaa !96
  %116 = tail call ptr %113(ptr noundef %115) #18
  %117 = load ptr, ptr %104, align 8, !tbaa !87
  %118 = getelementptr inbounds nuw %struct.Region, ptr %117, i64 %112
  %119 = getelementptr inbounds nuw i8, ptr %118, i64 8
  %120 = load ptr, ptr %119, align 8, !tbaa !91
  %121 = icmp eq ptr %116, %120
  br i1 %121, label %106, label %218

122:                                              ; preds = %106
  %123 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %124 = load i64, ptr %123, align 8, !tbaa !94
  %125 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %126 = load i64, ptr %125, align 8, !tbaa !85
  %127 = shl nsw i64 %126, 10
  %128 = icmp sgt i64 %108, 0
  br i1 %128, label %129, label %197

129:                                              ; preds = %122
  %130 = shl nsw i64 %124, 10
  br label %131

131:                                              ; preds = %188, %129
  %132 = phi i64 [ %130, %129 ], [ %194, %188 ]
  %133 = phi i64 [ 0, %129 ], [ %195, %188 ]
  %134 = phi <4 x i64> [ zeroinitializer, %129 ], [ %189, %188 ]
  %135 = getelementptr inbounds nuw %struct.Region, ptr %117, i64 %133
  %136 = getelementptr inbounds nuw i8, ptr %135, i64 16
  %137 = load i64, ptr %136, align 8, !tbaa !88
  %138 = icmp slt i64 %132, %137
  br i1 %138, label %139, label %188

139:                                              ; preds = %131
  %140 = getelementptr inbounds nuw i8, ptr %135, i64 8
  %141 = load ptr, ptr %140, align 8, !tbaa !91
  br label %142

142:                                              ; preds = %184, %139
  %143 = phi i64 [ %132, %139 ], [ %186, %184 ]
  %144 = phi <4 x i64> [ %134, %139 ], [ %185, %184 ]
  %145 = sub nsw i64 %137, %143
  %146 = icmp sgt i64 %145, 1023
  %147 = getelementptr inbounds i8, ptr %141, i64 %143
  br i1 %146, label %148, label %166

148:                                              ; preds = %142
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #18
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 32 dereferenceable(1024) %4, ptr noundef nonnull readonly align 1 dereferenceable(1024) %147, i64 1024, i1 false)
  %149 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %144, <4 x i64> %144, <4 x i64> splat (i64 27))
  br label %150

150:                                              ; preds = %150, %148
  %151 = phi i64 [ 0, %148 ], [ %163, %150 ]
  %152 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %148 ], [ %162, %150 ]
  %153 = phi <4 x i64> [ %149, %148 ], [ %161, %150 ]
  %154 = getelementptr inbounds nuw <4 x i64>, ptr %4, i64 %151
  %155 = load <4 x i64>, ptr %154, align 32, !tbaa !10
  %156 = xor <4 x i64> %155, %152
  %157 = and <4 x i64> %156, splat (i64 4294967295)
  %158 = lshr <4 x i64> %156, splat (i64 32)
  %159 = mul nuw <4 x i64> %157, %158
  %160 = add <4 x i64> %156, %153
  %161 = add <4 x i64> %160, %159
  %162 = add <4 x i64> %152, splat (i64 -1028001813962170200)
  %163 = add nuw nsw i64 %151, 1
  %164 = icmp eq i64 %163, 32
  br i1 %164, label %165, label %150, !llvm.loop !92

165:                                              ; preds = %150
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #18
  br label %184

166:                                              ; preds = %142
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #18
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 32 dereferenceable(1024) %3, i8 0, i64 1024, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 32 %3, ptr readonly align 1 %147, i64 range(i64 -9223372036854775808, 1025) %145, i1 false)
  %167 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %144, <4 x i64> %144, <4 x i64> splat (i64 27))
  br label %168

168:                                              ; preds = %168, %166
  %169 = phi i64 [ 0, %166 ], [ %181, %168 ]
  %170 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %166 ], [ %180, %168 ]
  %171 = phi <4 x i64> [ %167, %166 ], [ %179, %168 ]
  %172 = getelementptr inbounds nuw <4 x i64>, ptr %3, i64 %169
  %173 = load <4 x i64>, ptr %172, align 32, !tbaa !10
  %174 = xor <4 x i64> %173, %170
  %175 = and <4 x i64> %174, splat (i64 4294967295)
  %176 = lshr <4 x i64> %174, splat (i64 32)
  %177 = mul nuw <4 x i64> %175, %176
  %178 = add <4 x i64> %174, %171
  %179 = add <4 x i64> %178, %177
  %180 = add <4 x i64> %170, splat (i64 -1028001813962170200)
  %181 = add nuw nsw i64 %169, 1
  %182 = icmp eq i64 %181, 32
  br i1 %182, label %183, label %168, !llvm.loop !92

183:                                              ; preds = %168
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #18
  br label %184

184:                                              ; preds = %183, %165
  %185 = phi <4 x i64> [ %161, %165 ], [ %179, %183 ]
  %186 = add nsw i64 %143, %127
  %187 = icmp slt i64 %186, %137
  br i1 %187, label %142, label %188, !llvm.loop !97

188:                                              ; preds = %184, %131
  %189 = phi <4 x i64> [ %134, %131 ], [ %185, %184 ]
  %190 = phi i64 [ %132, %131 ], [ %186, %184 ]
  %191 = add nsw i64 %137, 1023
  %192 = sdiv i64 %191, -1024
  %193 = shl nsw i64 %192, 10
  %194 = add i64 %190, %193
  %195 = add nuw nsw i64 %133, 1
  %196 = icmp eq i64 %195, %108
  br i1 %196, label %197, label %131, !llvm.loop !98

197:                                              ; preds = %188, %98, %122
  %198 = phi i64 [ %126, %122 ], [ %102, %98 ], [ %126, %188 ]
  %199 = phi i64 [ %124, %122 ], [ %100, %98 ], [ %124, %188 ]
  %200 = phi ptr [ %123, %122 ], [ %99, %98 ], [ %123, %188 ]
  %201 = phi <4 x i64> [ zeroinitializer, %122 ], [ zeroinitializer, %98 ], [ %189, %188 ]
  %202 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %203 = load ptr, ptr %202, align 8, !tbaa !83
  %204 = getelementptr inbounds <4 x i64>, ptr %203, i64 %199
  %205 = load <4 x i64>, ptr %204, align 32
  %206 = add nsw i64 %199, 1
  %207 = icmp eq i64 %206, %198
  %208 = select i1 %207, i64 0, i64 %206
  store i64 %208, ptr %200, align 8
  %209 = xor <4 x i64> %205, %201
  %210 = shufflevector <4 x i64> %209, <4 x i64> poison, <4 x i32> <i32 1, i32 poison, i32 poison, i32 poison>
  %211 = shufflevector <4 x i64> %209, <4 x i64> poison, <4 x i32> <i32 2, i32 poison, i32 poison, i32 poison>
  %212 = or <4 x i64> %210, %211
  %213 = shufflevector <4 x i64> %209, <4 x i64> poison, <4 x i32> <i32 3, i32 poison, i32 poison, i32 poison>
  %214 = or <4 x i64> %212, %213
  %215 = or <4 x i64> %214, %209
  %216 = extractelement <4 x i64> %215, i64 0
  %217 = icmp eq i64 %216, 0
  br i1 %217, label %220, label %218

218:                                              ; preds = %110, %197
  %219 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !42
  br label %220

220:                                              ; preds = %34, %11, %197, %218
  %221 = phi ptr [ %219, %218 ], [ %1, %197 ], [ %1, %11 ], [ %1, %34 ]
  %222 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !79
  tail call void %222(ptr noundef %221) #18
  ret ptr %221
}

; Function Attrs: nounwind uwtable
define i32 @__tvm_ffi_tvmfuse_tensor(ptr noundef readnone captures(none) %0, ptr noundef %1, i32 noundef %2, ptr noundef %3) local_unnamed_addr #2 {
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %6 = load ptr, ptr %5, align 8, !tbaa !10
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %8 = add nsw i32 %2, -2
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %10 = load ptr, ptr %9, align 8, !tbaa !31
  %11 = tail call i32 %10(ptr noundef %6, ptr noundef nonnull %7, i32 noundef %8, ptr noundef %3) #18
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %13, label %125

13:                                               ; preds = %4
  %14 = load i32, ptr %3, align 8, !tbaa !13
  switch i32 %14, label %125 [
    i32 7, label %19
    i32 70, label %15
  ]

15:                                               ; preds = %13
  %16 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %17 = load ptr, ptr %16, align 8, !tbaa !10
  %18 = getelementptr inbounds nuw i8, ptr %17, i64 24
  br label %23

19:                                               ; preds = %13
  %20 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %21 = load ptr, ptr %20, align 8, !tbaa !10
  %22 = icmp eq ptr %21, null
  br i1 %22, label %125, label %23

23:                                               ; preds = %15, %19
  %24 = phi ptr [ %18, %15 ], [ %21, %19 ]
  %25 = load ptr, ptr %24, align 8, !tbaa !27
  %26 = icmp eq ptr %25, null
  br i1 %26, label %125, label %27

27:                                               ; preds = %23
  %28 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %29 = load i64, ptr %28, align 8, !tbaa !10
  %30 = icmp eq i64 %29, 0
  br i1 %30, label %31, label %104

31:                                               ; preds = %27
  %32 = getelementptr inbounds nuw i8, ptr %24, i64 20
  %33 = load i32, ptr %32, align 4, !tbaa !21
  %34 = lshr i32 %33, 8
  %35 = and i32 %34, 255
  %36 = add nuw nsw i32 %35, 7
  %37 = lshr i32 %36, 3
  %38 = zext nneg i32 %37 to i64
  %39 = getelementptr inbounds nuw i8, ptr %24, i64 16
  %40 = load i32, ptr %39, align 8, !tbaa !22
  %41 = icmp sgt i32 %40, 0
  br i1 %41, label %42, label %104

42:                                               ; preds = %31
  %43 = getelementptr inbounds nuw i8, ptr %24, i64 24
  %44 = load ptr, ptr %43, align 8, !tbaa !23
  %45 = zext nneg i32 %40 to i64
  %46 = and i64 %45, 7
  %47 = icmp ult i32 %40, 8
  br i1 %47, label %90, label %48

48:                                               ; preds = %42
  %49 = and i64 %45, 2147483640
  br label %50

50:                                               ; preds = %50, %48
  %51 = phi i64 [ 0, %48 ], [ %85, %50 ]
  %52 = phi i64 [ %38, %48 ], [ %84, %50 ]
  %53 = phi i64 [ 0, %48 ], [ %86, %50 ]
  %54 = getelementptr inbounds nuw i64, ptr %44, i64 %51
  %55 = load i64, ptr %54, align 8, !tbaa !11
  %56 = mul nsw i64 %55, %52
  %57 = getelementptr inbounds nuw i64, ptr %44, i64 %51
  %58 = getelementptr inbounds nuw i8, ptr %57, i64 8
  %59 = load i64, ptr %58, align 8, !tbaa !11
  %60 = mul nsw i64 %59, %56
  %61 = getelementptr inbounds nuw i64, ptr %44, i64 %51
  %62 = getelementptr inbounds nuw i8, ptr %61, i64 16
  %63 = load i64, ptr %62, align 8, !tbaa !11
  %64 = mul nsw i64 %63, %60
  %65 = getelementptr inbounds nuw i64, ptr %44, i64 %51
  %66 = getelementptr inbounds nuw i8, ptr %65, i64 24
  %67 = load i64, ptr %66, align 8, !tbaa !11
  %68 = mul nsw i64 %67, %64
  %69 = getelementptr inbounds nuw i64, ptr %44, i64 %51
  %70 = getelementptr inbounds nuw i8, ptr %69, i64 32
  %71 = load i64, ptr %70, align 8, !tbaa !11
  %72 = mul nsw i64 %71, %68
  %73 = getelementptr inbounds nuw i64, ptr %44, i64 %51
  %74 = getelementptr inbounds nuw i8, ptr %73, i64 40
  %75 = load i64, ptr %74, align 8, !tbaa !11
  %76 = mul nsw i64 %75, %72
  %77 = getelementptr inbounds nuw i64, ptr %44, i64 %51
  %78 = getelementptr inbounds nuw i8, ptr %77, i64 48
  %79 = load i64, ptr %78, align 8, !tbaa !11
  %80 = mul nsw i64 %79, %76
  %81 = getelementptr inbounds nuw i64, ptr %44, i64 %51
  %82 = getelementptr inbounds nuw i8, ptr %81, i64 56
  %83 = load i64, ptr %82, align 8, !tbaa !11
  %84 = mul nsw i64 %83, %80
  %85 = add nuw nsw i64 %51, 8
  %86 = add i64 %53, 8
  %87 = icmp eq i64 %86, %49
  br i1 %87, label %88, label %50, !llvm.loop !99

88:                                               ; preds = %50
  %89 = icmp eq i64 %46, 0
  br i1 %89, label %104, label %90

90:                                               ; preds = %88, %42
  %91 = phi i64 [ 0, %42 ], [ %85, %88 ]
  %92 = phi i64 [ %38, %42 ], [ %84, %88 ]
  %93 = icmp ne i64 %46, 0
  tail call void @llvm.assume(i1 %93)
  br label %94

94:                                               ; preds = %94, %90
  %95 = phi i64 [ %91, %90 ], [ %101, %94 ]
  %96 = phi i64 [ %92, %90 ], [ %100, %94 ]
  %97 = phi i64 [ 0, %90 ], [ %102, %94 ]
  %98 = getelementptr inbounds nuw i64, ptr %44, i64 %95
  %99 = load i64, ptr %98, align 8, !tbaa !11
  %100 = mul nsw i64 %99, %96
  %101 = add nuw nsw i64 %95, 1
  %102 = add i64 %97, 1
  %103 = icmp eq i64 %102, %46
  br i1 %103, label %104, label %94, !llvm.loop !100

104:                                              ; preds = %88, %94, %31, %27
  %105 = phi i64 [ %29, %27 ], [ %38, %31 ], [ %84, %88 ], [ %100, %94 ]
  %106 = getelementptr inbounds nuw i8, ptr %24, i64 40
  %107 = load i64, ptr %106, align 8, !tbaa !28
  %108 = getelementptr inbounds nuw i8, ptr %25, i64 %107
  %109 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %110 = load i64, ptr %109, align 8, !tbaa !10
  %111 = sub i64 0, %110
  %112 = getelementptr inbounds i8, ptr %108, i64 %111
  %113 = ptrtoint ptr %112 to i64
  %114 = add i64 %113, 2097151
  %115 = and i64 %114, -2097152
  %116 = add i64 %105, %113
  %117 = and i64 %116, -2097152
  %118 = icmp sgt i64 %105, 4194303
  %119 = icmp ult i64 %115, %117
  %120 = and i1 %118, %119
  br i1 %120, label %121, label %125

121:                                              ; preds = %104
  %122 = inttoptr i64 %115 to ptr
  %123 = sub nuw i64 %117, %115
  %124 = tail call i32 @madvise(ptr noundef %122, i64 noundef %123, i32 noundef 14) #18
  br label %125

125:                                              ; preds = %13, %4, %121, %104, %23, %19
  ret i32 %11
}

; Function Attrs: nounwind uwtable
define range(i32 -1, 1) i32 @__tvm_ffi_tvmfuse_size_heap(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef captures(none) initializes((0, 16)) %3) local_unnamed_addr #2 {
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %6 = load i64, ptr %5, align 8, !tbaa !10
  store i32 70, ptr %3, align 8, !tbaa !6
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %7, align 4, !tbaa !6
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 0, ptr %8, align 8, !tbaa !10
  %9 = shl i64 %6, 3
  %10 = add i64 %9, 152
  %11 = tail call noalias ptr @malloc(i64 noundef %10) #23
  %12 = icmp eq ptr %11, null
  br i1 %12, label %13, label %17

13:                                               ; preds = %4
  %14 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !31
  %15 = icmp eq ptr %14, null
  br i1 %15, label %49, label %16

16:                                               ; preds = %13
  tail call void %14(ptr noundef nonnull @.str.6, ptr noundef nonnull @.str.7) #18
  br label %49

17:                                               ; preds = %4
  store i64 4294967297, ptr %11, align 8, !tbaa !11
  %18 = getelementptr inbounds nuw i8, ptr %11, i64 8
  store i32 70, ptr %18, align 8, !tbaa !6
  %19 = getelementptr inbounds nuw i8, ptr %11, i64 12
  store i32 0, ptr %19, align 4, !tbaa !6
  %20 = getelementptr inbounds nuw i8, ptr %11, i64 16
  store ptr @forget, ptr %20, align 8, !tbaa !31
  store ptr %11, ptr %8, align 8, !tbaa !10
  %21 = getelementptr inbounds nuw i8, ptr %11, i64 72
  store i64 %6, ptr %21, align 8, !tbaa !11
  %22 = getelementptr inbounds nuw i8, ptr %11, i64 80
  store i64 1, ptr %22, align 8, !tbaa !11
  %23 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %24 = getelementptr inbounds nuw i8, ptr %11, i64 88
  %25 = ptrtoint ptr %24 to i64
  %26 = sub i64 0, %25
  %27 = and i64 %26, 63
  %28 = getelementptr inbounds nuw i8, ptr %24, i64 %27
  store ptr %28, ptr %23, align 8, !tbaa !36
  %29 = getelementptr inbounds nuw i8, ptr %11, i64 32
  store i32 1, ptr %29, align 8, !tbaa !6
  %30 = getelementptr inbounds nuw i8, ptr %11, i64 36
  store i32 0, ptr %30, align 4, !tbaa !6
  %31 = getelementptr inbounds nuw i8, ptr %11, i64 40
  store i32 1, ptr %31, align 8, !tbaa !6
  %32 = getelementptr inbounds nuw i8, ptr %11, i64 44
  store i32 81920, ptr %32, align 4, !tbaa !6
  %33 = getelementptr inbounds nuw i8, ptr %11, i64 48
  store ptr %21, ptr %33, align 8, !tbaa !101
  %34 = getelementptr inbounds nuw i8, ptr %11, i64 56
  store ptr %22, ptr %34, align 8, !tbaa !101
  %35 = getelementptr inbounds nuw i8, ptr %11, i64 64
  store i64 0, ptr %35, align 8, !tbaa !11
  %36 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %37 = add nsw i32 %2, -1
  %38 = load i64, ptr %5, align 8, !tbaa !10
  %39 = tail call fastcc i32 @find_out(ptr noundef nonnull %36, i32 noundef %37, ptr noundef nonnull %28, i64 noundef %38)
  %40 = icmp eq i32 %39, 0
  br i1 %40, label %49, label %41

41:                                               ; preds = %17
  %42 = load ptr, ptr %8, align 8, !tbaa !10
  %43 = atomicrmw sub ptr %42, i64 1 acq_rel, align 8
  %44 = icmp eq i64 %43, 4294967297
  br i1 %44, label %45, label %48

45:                                               ; preds = %41
  %46 = getelementptr inbounds nuw i8, ptr %42, i64 16
  %47 = load ptr, ptr %46, align 8, !tbaa !102
  tail call void %47(ptr noundef %42, i32 noundef 3) #18
  br label %48

48:                                               ; preds = %41, %45
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, i8 0, i64 16, i1 false)
  br label %49

49:                                               ; preds = %16, %13, %17, %48
  %50 = phi i32 [ -1, %48 ], [ 0, %17 ], [ -1, %13 ], [ -1, %16 ]
  ret i32 %50
}

; Function Attrs: nounwind uwtable
define internal fastcc i32 @find_out(ptr noundef readonly captures(none) %0, i32 noundef range(i32 -2147483648, 2147483647) %1, ptr noundef %2, i64 noundef %3) unnamed_addr #2 {
  %5 = alloca %struct.Any, align 8
  %6 = alloca %struct.Any, align 8
  %7 = icmp sgt i32 %1, 2
  br i1 %7, label %8, label %68

8:                                                ; preds = %4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %10

10:                                               ; preds = %8, %64
  %11 = phi i64 [ 2, %8 ], [ %65, %64 ]
  %12 = getelementptr inbounds nuw %struct.Any, ptr %0, i64 %11
  %13 = load i32, ptr %12, align 8, !tbaa !13
  switch i32 %13, label %60 [
    i32 7, label %18
    i32 70, label %14
  ]

14:                                               ; preds = %10
  %15 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %16 = load ptr, ptr %15, align 8, !tbaa !10
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 24
  br label %22

18:                                               ; preds = %10
  %19 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %20 = load ptr, ptr %19, align 8, !tbaa !10
  %21 = icmp eq ptr %20, null
  br i1 %21, label %60, label %22

22:                                               ; preds = %14, %18
  %23 = phi ptr [ %17, %14 ], [ %20, %18 ]
  %24 = getelementptr inbounds nuw i8, ptr %12, i64 40
  %25 = load ptr, ptr %24, align 8, !tbaa !10
  %26 = getelementptr inbounds nuw i8, ptr %23, i64 16
  %27 = load i32, ptr %26, align 8, !tbaa !22
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds nuw i8, ptr %25, i64 32
  %30 = load i64, ptr %29, align 8, !tbaa !11
  %31 = sdiv i64 %30, 2
  %32 = icmp eq i64 %31, %28
  br i1 %32, label %33, label %60

33:                                               ; preds = %22
  %34 = icmp sgt i32 %27, 0
  br i1 %34, label %35, label %64

35:                                               ; preds = %33
  %36 = getelementptr inbounds nuw i8, ptr %23, i64 24
  %37 = load ptr, ptr %36, align 8, !tbaa !23
  %38 = getelementptr inbounds nuw i8, ptr %25, i64 24
  %39 = load ptr, ptr %38, align 8, !tbaa !101
  br label %40

40:                                               ; preds = %57, %35
  %41 = phi i64 [ 0, %35 ], [ %58, %57 ]
  %42 = getelementptr inbounds nuw i64, ptr %37, i64 %41
  %43 = load i64, ptr %42, align 8, !tbaa !11
  %44 = shl nuw nsw i64 %41, 4
  %45 = getelementptr inbounds nuw i8, ptr %39, i64 %44
  %46 = load i64, ptr %45, align 8, !tbaa !11
  %47 = getelementptr inbounds nuw i8, ptr %45, i64 8
  %48 = load i64, ptr %47, align 8, !tbaa !11
  switch i64 %46, label %57 [
    i64 1, label %49
    i64 0, label %51
    i64 3, label %53
  ]

49:                                               ; preds = %40
  %50 = getelementptr inbounds i64, ptr %2, i64 %48
  store i64 %43, ptr %50, align 8, !tbaa !11
  br label %57

51:                                               ; preds = %40
  %52 = icmp eq i64 %43, %48
  br i1 %52, label %57, label %60

53:                                               ; preds = %40
  %54 = getelementptr inbounds i64, ptr %2, i64 %48
  %55 = load i64, ptr %54, align 8, !tbaa !11
  %56 = icmp eq i64 %43, %55
  br i1 %56, label %57, label %60

57:                                               ; preds = %53, %51, %49, %40
  %58 = add nuw nsw i64 %41, 1
  %59 = icmp eq i64 %58, %28
  br i1 %59, label %64, label %40, !llvm.loop !104

60:                                               ; preds = %53, %51, %10, %22, %18
  %61 = load ptr, ptr %9, align 8, !tbaa !10
  %62 = tail call fastcc i32 @match(ptr noundef %61, ptr noundef nonnull %12, ptr noundef %2, i64 noundef %3)
  %63 = icmp eq i32 %62, 0
  br i1 %63, label %64, label %82

64:                                               ; preds = %57, %33, %60
  %65 = add nuw nsw i64 %11, 3
  %66 = trunc nuw i64 %65 to i32
  %67 = icmp sgt i32 %1, %66
  br i1 %67, label %10, label %68, !llvm.loop !105

68:                                               ; preds = %64, %4
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #18
  store i32 4, ptr %5, align 8, !tbaa !13
  %69 = getelementptr inbounds nuw i8, ptr %5, i64 4
  store i32 0, ptr %69, align 4, !tbaa !106
  %70 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store ptr %2, ptr %70, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #18
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %6, i8 0, i64 16, i1 false)
  %71 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %72 = load i32, ptr %71, align 8, !tbaa !13
  %73 = icmp eq i32 %72, 0
  br i1 %73, label %80, label %74

74:                                               ; preds = %68
  %75 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %76 = load ptr, ptr %75, align 8, !tbaa !10
  %77 = getelementptr inbounds nuw i8, ptr %76, i64 24
  %78 = load ptr, ptr %77, align 8, !tbaa !31
  %79 = call i32 %78(ptr noundef %76, ptr noundef nonnull %5, i32 noundef 1, ptr noundef nonnull %6) #18
  br label %80

80:                                               ; preds = %68, %74
  %81 = phi i32 [ %79, %74 ], [ 0, %68 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #18
  br label %82

82:                                               ; preds = %60, %80
  %83 = phi i32 [ %81, %80 ], [ -1, %60 ]
  ret i32 %83
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #9

; Function Attrs: nounwind uwtable
define i32 @__tvm_ffi_tvmfuse_fits(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #2 {
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %6 = load i32, ptr %5, align 8, !tbaa !13
  switch i32 %6, label %18 [
    i32 7, label %11
    i32 70, label %7
  ]

7:                                                ; preds = %4
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %9 = load ptr, ptr %8, align 8, !tbaa !10
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 24
  br label %15

11:                                               ; preds = %4
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %13 = load ptr, ptr %12, align 8, !tbaa !10
  %14 = icmp eq ptr %13, null
  br i1 %14, label %18, label %15

15:                                               ; preds = %7, %11
  %16 = phi ptr [ %10, %7 ], [ %13, %11 ]
  %17 = load ptr, ptr %16, align 8, !tbaa !27
  br label %18

18:                                               ; preds = %4, %11, %15
  %19 = phi i1 [ false, %15 ], [ true, %11 ], [ true, %4 ]
  %20 = phi ptr [ %16, %15 ], [ null, %11 ], [ null, %4 ]
  %21 = phi ptr [ %17, %15 ], [ null, %11 ], [ null, %4 ]
  %22 = getelementptr inbounds nuw i8, ptr %1, i64 32
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, i8 0, i64 16, i1 false)
  %23 = load i32, ptr %22, align 8, !tbaa !13
  switch i32 %23, label %70 [
    i32 7, label %28
    i32 70, label %24
  ]

24:                                               ; preds = %18
  %25 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %26 = load ptr, ptr %25, align 8, !tbaa !10
  %27 = getelementptr inbounds nuw i8, ptr %26, i64 24
  br label %32

28:                                               ; preds = %18
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %30 = load ptr, ptr %29, align 8, !tbaa !10
  %31 = icmp eq ptr %30, null
  br i1 %31, label %70, label %32

32:                                               ; preds = %24, %28
  %33 = phi ptr [ %27, %24 ], [ %30, %28 ]
  %34 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %35 = load ptr, ptr %34, align 8, !tbaa !10
  %36 = getelementptr inbounds nuw i8, ptr %33, i64 16
  %37 = load i32, ptr %36, align 8, !tbaa !22
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds nuw i8, ptr %35, i64 32
  %40 = load i64, ptr %39, align 8, !tbaa !11
  %41 = sdiv i64 %40, 2
  %42 = icmp eq i64 %41, %38
  br i1 %42, label %43, label %70

43:                                               ; preds = %32
  %44 = icmp sgt i32 %37, 0
  br i1 %44, label %45, label %80

45:                                               ; preds = %43
  %46 = getelementptr inbounds nuw i8, ptr %33, i64 24
  %47 = load ptr, ptr %46, align 8, !tbaa !23
  %48 = getelementptr inbounds nuw i8, ptr %35, i64 24
  %49 = load ptr, ptr %48, align 8, !tbaa !101
  br label %50

50:                                               ; preds = %67, %45
  %51 = phi i64 [ 0, %45 ], [ %68, %67 ]
  %52 = getelementptr inbounds nuw i64, ptr %47, i64 %51
  %53 = load i64, ptr %52, align 8, !tbaa !11
  %54 = shl nuw nsw i64 %51, 4
  %55 = getelementptr inbounds nuw i8, ptr %49, i64 %54
  %56 = load i64, ptr %55, align 8, !tbaa !11
  %57 = getelementptr inbounds nuw i8, ptr %55, i64 8
  %58 = load i64, ptr %57, align 8, !tbaa !11
  switch i64 %56, label %67 [
    i64 1, label %59
    i64 0, label %61
    i64 3, label %63
  ]

59:                                               ; preds = %50
  %60 = getelementptr inbounds i64, ptr %21, i64 %58
  store i64 %53, ptr %60, align 8, !tbaa !11
  br label %67

61:                                               ; preds = %50
  %62 = icmp eq i64 %53, %58
  br i1 %62, label %67, label %70

63:                                               ; preds = %50
  %64 = getelementptr inbounds i64, ptr %21, i64 %58
  %65 = load i64, ptr %64, align 8, !tbaa !11
  %66 = icmp eq i64 %53, %65
  br i1 %66, label %67, label %70

67:                                               ; preds = %63, %61, %59, %50
  %68 = add nuw nsw i64 %51, 1
  %69 = icmp eq i64 %68, %38
  br i1 %69, label %80, label %50, !llvm.loop !104

70:                                               ; preds = %63, %61, %18, %32, %28
  %71 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %72 = load ptr, ptr %71, align 8, !tbaa !10
  br i1 %19, label %77, label %73

73:                                               ; preds = %70
  %74 = getelementptr inbounds nuw i8, ptr %20, i64 24
  %75 = load ptr, ptr %74, align 8, !tbaa !23
  %76 = load i64, ptr %75, align 8, !tbaa !11
  br label %77

77:                                               ; preds = %70, %73
  %78 = phi i64 [ %76, %73 ], [ 0, %70 ]
  %79 = tail call fastcc i32 @match(ptr noundef %72, ptr noundef nonnull %22, ptr noundef %21, i64 noundef %78)
  br label %80

80:                                               ; preds = %67, %43, %77
  %81 = phi i32 [ %79, %77 ], [ 0, %43 ], [ 0, %67 ]
  ret i32 %81
}

; Function Attrs: nounwind uwtable
define internal fastcc i32 @match(ptr noundef %0, ptr noundef readonly captures(none) %1, ptr noundef captures(none) %2, i64 noundef %3) unnamed_addr #2 {
  %5 = alloca %struct.Any, align 8
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %7 = load ptr, ptr %6, align 8, !tbaa !10
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %9 = load i64, ptr %8, align 8, !tbaa !11
  %10 = trunc i64 %9 to i32
  %11 = add nsw i32 %10, 4
  %12 = zext i32 %11 to i64
  %13 = alloca %struct.Any, i64 %12, align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #18
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %5, i8 0, i64 16, i1 false)
  %14 = shl i64 %3, 3
  %15 = add i64 %14, 152
  %16 = tail call noalias ptr @malloc(i64 noundef %15) #23
  %17 = icmp eq ptr %16, null
  br i1 %17, label %18, label %22

18:                                               ; preds = %4
  %19 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !31
  %20 = icmp eq ptr %19, null
  br i1 %20, label %207, label %21

21:                                               ; preds = %18
  tail call void %19(ptr noundef nonnull @.str.6, ptr noundef nonnull @.str.7) #18
  br label %207

22:                                               ; preds = %4
  store i64 4294967297, ptr %16, align 8, !tbaa !11
  %23 = getelementptr inbounds nuw i8, ptr %16, i64 8
  store i32 70, ptr %23, align 8, !tbaa !6
  %24 = getelementptr inbounds nuw i8, ptr %16, i64 12
  store i32 0, ptr %24, align 4, !tbaa !6
  %25 = getelementptr inbounds nuw i8, ptr %16, i64 16
  store ptr @forget, ptr %25, align 8, !tbaa !31
  %26 = ptrtoint ptr %16 to i64
  %27 = getelementptr inbounds nuw i8, ptr %16, i64 72
  store i64 %3, ptr %27, align 8, !tbaa !11
  %28 = getelementptr inbounds nuw i8, ptr %16, i64 80
  store i64 1, ptr %28, align 8, !tbaa !11
  %29 = getelementptr inbounds nuw i8, ptr %16, i64 24
  %30 = getelementptr inbounds nuw i8, ptr %16, i64 88
  %31 = ptrtoint ptr %30 to i64
  %32 = sub i64 0, %31
  %33 = and i64 %32, 63
  %34 = getelementptr inbounds nuw i8, ptr %30, i64 %33
  store ptr %34, ptr %29, align 8, !tbaa !36
  %35 = getelementptr inbounds nuw i8, ptr %16, i64 32
  store i32 1, ptr %35, align 8, !tbaa !6
  %36 = getelementptr inbounds nuw i8, ptr %16, i64 36
  store i32 0, ptr %36, align 4, !tbaa !6
  %37 = getelementptr inbounds nuw i8, ptr %16, i64 40
  store i32 1, ptr %37, align 8, !tbaa !6
  %38 = getelementptr inbounds nuw i8, ptr %16, i64 44
  store i32 81920, ptr %38, align 4, !tbaa !6
  %39 = getelementptr inbounds nuw i8, ptr %16, i64 48
  store ptr %27, ptr %39, align 8, !tbaa !101
  %40 = getelementptr inbounds nuw i8, ptr %16, i64 56
  store ptr %28, ptr %40, align 8, !tbaa !101
  %41 = getelementptr inbounds nuw i8, ptr %16, i64 64
  store i64 0, ptr %41, align 8, !tbaa !11
  %42 = icmp sgt i64 %3, 0
  br i1 %42, label %43, label %62

43:                                               ; preds = %22
  %44 = and i64 %3, 3
  %45 = icmp ult i64 %3, 4
  br i1 %45, label %50, label %46

46:                                               ; preds = %43
  %47 = and i64 %3, 9223372036854775804
  br label %81

48:                                               ; preds = %81
  %49 = icmp eq i64 %44, 0
  br i1 %49, label %62, label %50

50:                                               ; preds = %48, %43
  %51 = phi i64 [ 0, %43 ], [ %99, %48 ]
  %52 = icmp ne i64 %44, 0
  tail call void @llvm.assume(i1 %52)
  br label %53

53:                                               ; preds = %53, %50
  %54 = phi i64 [ %59, %53 ], [ %51, %50 ]
  %55 = phi i64 [ %60, %53 ], [ 0, %50 ]
  %56 = getelementptr inbounds nuw i64, ptr %2, i64 %54
  %57 = load i64, ptr %56, align 8, !tbaa !11
  %58 = getelementptr inbounds nuw i64, ptr %34, i64 %54
  store i64 %57, ptr %58, align 8, !tbaa !11
  %59 = add nuw nsw i64 %54, 1
  %60 = add i64 %55, 1
  %61 = icmp eq i64 %60, %44
  br i1 %61, label %62, label %53, !llvm.loop !107

62:                                               ; preds = %48, %53, %22
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %13, ptr noundef nonnull align 8 dereferenceable(16) %1, i64 16, i1 false), !tbaa.struct !35
  %63 = getelementptr inbounds nuw i8, ptr %13, i64 16
  store i32 70, ptr %63, align 16, !tbaa !6
  %64 = getelementptr inbounds nuw i8, ptr %13, i64 20
  store i32 0, ptr %64, align 4, !tbaa !6
  %65 = getelementptr inbounds nuw i8, ptr %13, i64 24
  store i64 %26, ptr %65, align 8, !tbaa !10
  %66 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %67 = sdiv i32 %10, 2
  %68 = sext i32 %67 to i64
  store i32 1, ptr %66, align 16, !tbaa !6
  %69 = getelementptr inbounds nuw i8, ptr %13, i64 36
  store i32 0, ptr %69, align 4, !tbaa !6
  %70 = getelementptr inbounds nuw i8, ptr %13, i64 40
  store i64 %68, ptr %70, align 8, !tbaa !10
  %71 = icmp sgt i32 %10, 0
  br i1 %71, label %72, label %119

72:                                               ; preds = %62
  %73 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %74 = and i64 %9, 2147483647
  %75 = load ptr, ptr %73, align 8, !tbaa !101
  %76 = add nsw i64 %74, -1
  %77 = and i64 %9, 3
  %78 = icmp ult i64 %76, 3
  br i1 %78, label %104, label %79

79:                                               ; preds = %72
  %80 = and i64 %9, 2147483644
  br label %134

81:                                               ; preds = %81, %46
  %82 = phi i64 [ 0, %46 ], [ %99, %81 ]
  %83 = phi i64 [ 0, %46 ], [ %100, %81 ]
  %84 = getelementptr inbounds nuw i64, ptr %2, i64 %82
  %85 = load i64, ptr %84, align 8, !tbaa !11
  %86 = getelementptr inbounds nuw i64, ptr %34, i64 %82
  store i64 %85, ptr %86, align 8, !tbaa !11
  %87 = or disjoint i64 %82, 1
  %88 = getelementptr inbounds nuw i64, ptr %2, i64 %87
  %89 = load i64, ptr %88, align 8, !tbaa !11
  %90 = getelementptr inbounds nuw i64, ptr %34, i64 %87
  store i64 %89, ptr %90, align 8, !tbaa !11
  %91 = or disjoint i64 %82, 2
  %92 = getelementptr inbounds nuw i64, ptr %2, i64 %91
  %93 = load i64, ptr %92, align 8, !tbaa !11
  %94 = getelementptr inbounds nuw i64, ptr %34, i64 %91
  store i64 %93, ptr %94, align 8, !tbaa !11
  %95 = or disjoint i64 %82, 3
  %96 = getelementptr inbounds nuw i64, ptr %2, i64 %95
  %97 = load i64, ptr %96, align 8, !tbaa !11
  %98 = getelementptr inbounds nuw i64, ptr %34, i64 %95
  store i64 %97, ptr %98, align 8, !tbaa !11
  %99 = add nuw nsw i64 %82, 4
  %100 = add i64 %83, 4
  %101 = icmp eq i64 %100, %47
  br i1 %101, label %48, label %81, !llvm.loop !108

102:                                              ; preds = %134
  %103 = icmp eq i64 %77, 0
  br i1 %103, label %119, label %104

104:                                              ; preds = %102, %72
  %105 = phi i64 [ 0, %72 ], [ %164, %102 ]
  %106 = icmp ne i64 %77, 0
  tail call void @llvm.assume(i1 %106)
  br label %107

107:                                              ; preds = %107, %104
  %108 = phi i64 [ %105, %104 ], [ %116, %107 ]
  %109 = phi i64 [ 0, %104 ], [ %117, %107 ]
  %110 = getelementptr inbounds nuw %struct.Any, ptr %13, i64 %108
  %111 = getelementptr inbounds nuw i8, ptr %110, i64 48
  %112 = getelementptr inbounds nuw i64, ptr %75, i64 %108
  %113 = load i64, ptr %112, align 8, !tbaa !11
  store i32 1, ptr %111, align 16, !tbaa !6
  %114 = getelementptr inbounds nuw i8, ptr %110, i64 52
  store i32 0, ptr %114, align 4, !tbaa !6
  %115 = getelementptr inbounds nuw i8, ptr %110, i64 56
  store i64 %113, ptr %115, align 8, !tbaa !10
  %116 = add nuw nsw i64 %108, 1
  %117 = add i64 %109, 1
  %118 = icmp eq i64 %117, %77
  br i1 %118, label %119, label %107, !llvm.loop !109

119:                                              ; preds = %102, %107, %62
  %120 = shl i64 %9, 32
  %121 = add i64 %120, 12884901888
  %122 = ashr exact i64 %121, 28
  %123 = getelementptr inbounds i8, ptr %13, i64 %122
  %124 = getelementptr inbounds nuw i8, ptr %1, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %123, ptr noundef nonnull align 8 dereferenceable(16) %124, i64 16, i1 false), !tbaa.struct !35
  %125 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %126 = load ptr, ptr %125, align 8, !tbaa !31
  %127 = call i32 %126(ptr noundef %0, ptr noundef nonnull %13, i32 noundef %11, ptr noundef nonnull %5) #18
  br i1 %42, label %128, label %181

128:                                              ; preds = %119
  %129 = load ptr, ptr %29, align 8, !tbaa !27
  %130 = and i64 %3, 3
  %131 = icmp ult i64 %3, 4
  br i1 %131, label %169, label %132

132:                                              ; preds = %128
  %133 = and i64 %3, 9223372036854775804
  br label %186

134:                                              ; preds = %134, %79
  %135 = phi i64 [ 0, %79 ], [ %164, %134 ]
  %136 = phi i64 [ 0, %79 ], [ %165, %134 ]
  %137 = getelementptr inbounds nuw %struct.Any, ptr %13, i64 %135
  %138 = getelementptr inbounds nuw i8, ptr %137, i64 48
  %139 = getelementptr inbounds nuw i64, ptr %75, i64 %135
  %140 = load i64, ptr %139, align 8, !tbaa !11
  store i32 1, ptr %138, align 16, !tbaa !6
  %141 = getelementptr inbounds nuw i8, ptr %137, i64 52
  store i32 0, ptr %141, align 4, !tbaa !6
  %142 = getelementptr inbounds nuw i8, ptr %137, i64 56
  store i64 %140, ptr %142, align 8, !tbaa !10
  %143 = or disjoint i64 %135, 1
  %144 = getelementptr inbounds nuw %struct.Any, ptr %13, i64 %143
  %145 = getelementptr inbounds nuw i8, ptr %144, i64 48
  %146 = getelementptr inbounds nuw i64, ptr %75, i64 %143
  %147 = load i64, ptr %146, align 8, !tbaa !11
  store i32 1, ptr %145, align 16, !tbaa !6
  %148 = getelementptr inbounds nuw i8, ptr %144, i64 52
  store i32 0, ptr %148, align 4, !tbaa !6
  %149 = getelementptr inbounds nuw i8, ptr %144, i64 56
  store i64 %147, ptr %149, align 8, !tbaa !10
  %150 = or disjoint i64 %135, 2
  %151 = getelementptr inbounds nuw %struct.Any, ptr %13, i64 %150
  %152 = getelementptr inbounds nuw i8, ptr %151, i64 48
  %153 = getelementptr inbounds nuw i64, ptr %75, i64 %150
  %154 = load i64, ptr %153, align 8, !tbaa !11
  store i32 1, ptr %152, align 16, !tbaa !6
  %155 = getelementptr inbounds nuw i8, ptr %151, i64 52
  store i32 0, ptr %155, align 4, !tbaa !6
  %156 = getelementptr inbounds nuw i8, ptr %151, i64 56
  store i64 %154, ptr %156, align 8, !tbaa !10
  %157 = or disjoint i64 %135, 3
  %158 = getelementptr inbounds nuw %struct.Any, ptr %13, i64 %157
  %159 = getelementptr inbounds nuw i8, ptr %158, i64 48
  %160 = getelementptr inbounds nuw i64, ptr %75, i64 %157
  %161 = load i64, ptr %160, align 8, !tbaa !11
  store i32 1, ptr %159, align 16, !tbaa !6
  %162 = getelementptr inbounds nuw i8, ptr %158, i64 52
  store i32 0, ptr %162, align 4, !tbaa !6
  %163 = getelementptr inbounds nuw i8, ptr %158, i64 56
  store i64 %161, ptr %163, align 8, !tbaa !10
  %164 = add nuw nsw i64 %135, 4
  %165 = add i64 %136, 4
  %166 = icmp eq i64 %165, %80
  br i1 %166, label %102, label %134, !llvm.loop !110

167:                                              ; preds = %186
  %168 = icmp eq i64 %130, 0
  br i1 %168, label %181, label %169

169:                                              ; preds = %167, %128
  %170 = phi i64 [ 0, %128 ], [ %204, %167 ]
  %171 = icmp ne i64 %130, 0
  call void @llvm.assume(i1 %171)
  br label %172

172:                                              ; preds = %172, %169
  %173 = phi i64 [ %170, %169 ], [ %178, %172 ]
  %174 = phi i64 [ 0, %169 ], [ %179, %172 ]
  %175 = getelementptr inbounds nuw i64, ptr %129, i64 %173
  %176 = load i64, ptr %175, align 8, !tbaa !11
  %177 = getelementptr inbounds nuw i64, ptr %2, i64 %173
  store i64 %176, ptr %177, align 8, !tbaa !11
  %178 = add nuw nsw i64 %173, 1
  %179 = add i64 %174, 1
  %180 = icmp eq i64 %179, %130
  br i1 %180, label %181, label %172, !llvm.loop !111

181:                                              ; preds = %167, %172, %119
  %182 = atomicrmw sub ptr %16, i64 1 acq_rel, align 8
  %183 = icmp eq i64 %182, 4294967297
  br i1 %183, label %184, label %207

184:                                              ; preds = %181
  %185 = load ptr, ptr %25, align 8, !tbaa !102
  call void %185(ptr noundef nonnull %16, i32 noundef 3) #18
  br label %207

186:                                              ; preds = %186, %132
  %187 = phi i64 [ 0, %132 ], [ %204, %186 ]
  %188 = phi i64 [ 0, %132 ], [ %205, %186 ]
  %189 = getelementptr inbounds nuw i64, ptr %129, i64 %187
  %190 = load i64, ptr %189, align 8, !tbaa !11
  %191 = getelementptr inbounds nuw i64, ptr %2, i64 %187
  store i64 %190, ptr %191, align 8, !tbaa !11
  %192 = or disjoint i64 %187, 1
  %193 = getelementptr inbounds nuw i64, ptr %129, i64 %192
  %194 = load i64, ptr %193, align 8, !tbaa !11
  %195 = getelementptr inbounds nuw i64, ptr %2, i64 %192
  store i64 %194, ptr %195, align 8, !tbaa !11
  %196 = or disjoint i64 %187, 2
  %197 = getelementptr inbounds nuw i64, ptr %129, i64 %196
  %198 = load i64, ptr %197, align 8, !tbaa !11
  %199 = getelementptr inbounds nuw i64, ptr %2, i64 %196
  store i64 %198, ptr %199, align 8, !tbaa !11
  %200 = or disjoint i64 %187, 3
  %201 = getelementptr inbounds nuw i64, ptr %129, i64 %200
  %202 = load i64, ptr %201, align 8, !tbaa !11
  %203 = getelementptr inbounds nuw i64, ptr %2, i64 %200
  store i64 %202, ptr %203, align 8, !tbaa !11
  %204 = add nuw nsw i64 %187, 4
  %205 = add i64 %188, 4
  %206 = icmp eq i64 %205, %133
  br i1 %206, label %167, label %186, !llvm.loop !112

207:                                              ; preds = %21, %18, %184, %181
  %208 = phi i32 [ %127, %184 ], [ %127, %181 ], [ -1, %18 ], [ -1, %21 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #18
  ret i32 %208
}

; Function Attrs: nounwind uwtable
define range(i32 -1, 1) i32 @__tvm_ffi_tvmfuse_shape(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #2 {
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %6 = load ptr, ptr %5, align 8, !tbaa !10
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %8 = load i64, ptr %7, align 8, !tbaa !11
  %9 = lshr i64 %8, 1
  store i32 69, ptr %3, align 8, !tbaa !6
  %10 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %10, align 4, !tbaa !6
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 0, ptr %11, align 8, !tbaa !10
  %12 = shl i64 %9, 3
  %13 = add i64 %12, 40
  %14 = tail call noalias ptr @malloc(i64 noundef %13) #23
  %15 = icmp eq ptr %14, null
  br i1 %15, label %16, label %20

16:                                               ; preds = %4
  %17 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !31
  %18 = icmp eq ptr %17, null
  br i1 %18, label %92, label %19

19:                                               ; preds = %16
  tail call void %17(ptr noundef nonnull @.str.6, ptr noundef nonnull @.str.7) #18
  br label %92

20:                                               ; preds = %4
  store i64 4294967297, ptr %14, align 8, !tbaa !11
  %21 = getelementptr inbounds nuw i8, ptr %14, i64 8
  store i32 69, ptr %21, align 8, !tbaa !6
  %22 = getelementptr inbounds nuw i8, ptr %14, i64 12
  store i32 0, ptr %22, align 4, !tbaa !6
  %23 = getelementptr inbounds nuw i8, ptr %14, i64 16
  store ptr @forget, ptr %23, align 8, !tbaa !31
  store ptr %14, ptr %11, align 8, !tbaa !10
  %24 = getelementptr inbounds nuw i8, ptr %14, i64 40
  %25 = getelementptr inbounds nuw i8, ptr %14, i64 24
  store ptr %24, ptr %25, align 8, !tbaa !101
  %26 = getelementptr inbounds nuw i8, ptr %14, i64 32
  store i64 %9, ptr %26, align 8, !tbaa !11
  %27 = load i32, ptr %1, align 8, !tbaa !13
  %28 = icmp eq i32 %27, 7
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %30 = load ptr, ptr %29, align 8, !tbaa !10
  %31 = select i1 %28, i64 0, i64 24
  %32 = getelementptr inbounds nuw i8, ptr %30, i64 %31
  %33 = load ptr, ptr %32, align 8, !tbaa !27
  %34 = load i64, ptr %7, align 8, !tbaa !11
  %35 = icmp ult i64 %34, 2
  br i1 %35, label %92, label %36

36:                                               ; preds = %20
  %37 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %38 = load ptr, ptr %37, align 8, !tbaa !101
  %39 = lshr i64 %34, 1
  %40 = and i64 %39, 1
  %41 = icmp eq i64 %39, 1
  br i1 %41, label %77, label %42

42:                                               ; preds = %36
  %43 = and i64 %39, 9223372036854775806
  br label %44

44:                                               ; preds = %69, %42
  %45 = phi i64 [ 0, %42 ], [ %72, %69 ]
  %46 = phi i64 [ 0, %42 ], [ %73, %69 ]
  %47 = shl nuw i64 %45, 4
  %48 = getelementptr inbounds nuw i8, ptr %38, i64 %47
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 8
  %50 = load i64, ptr %49, align 8, !tbaa !11
  %51 = load i64, ptr %48, align 8, !tbaa !11
  %52 = icmp eq i64 %51, 0
  br i1 %52, label %56, label %53

53:                                               ; preds = %44
  %54 = getelementptr inbounds i64, ptr %33, i64 %50
  %55 = load i64, ptr %54, align 8, !tbaa !11
  br label %56

56:                                               ; preds = %53, %44
  %57 = phi i64 [ %55, %53 ], [ %50, %44 ]
  %58 = getelementptr inbounds nuw i64, ptr %24, i64 %45
  store i64 %57, ptr %58, align 8, !tbaa !11
  %59 = or disjoint i64 %45, 1
  %60 = shl nuw i64 %59, 4
  %61 = getelementptr inbounds nuw i8, ptr %38, i64 %60
  %62 = getelementptr inbounds nuw i8, ptr %61, i64 8
  %63 = load i64, ptr %62, align 8, !tbaa !11
  %64 = load i64, ptr %61, align 8, !tbaa !11
  %65 = icmp eq i64 %64, 0
  br i1 %65, label %69, label %66

66:                                               ; preds = %56
  %67 = getelementptr inbounds i64, ptr %33, i64 %63
  %68 = load i64, ptr %67, align 8, !tbaa !11
  br label %69

69:                                               ; preds = %66, %56
  %70 = phi i64 [ %68, %66 ], [ %63, %56 ]
  %71 = getelementptr inbounds nuw i64, ptr %24, i64 %59
  store i64 %70, ptr %71, align 8, !tbaa !11
  %72 = add nuw nsw i64 %45, 2
  %73 = add i64 %46, 2
  %74 = icmp eq i64 %73, %43
  br i1 %74, label %75, label %44, !llvm.loop !113

75:                                               ; preds = %69
  %76 = icmp eq i64 %40, 0
  br i1 %76, label %92, label %77

77:                                               ; preds = %75, %36
  %78 = phi i64 [ 0, %36 ], [ %72, %75 ]
  %79 = icmp ne i64 %40, 0
  tail call void @llvm.assume(i1 %79)
  %80 = shl nuw i64 %78, 4
  %81 = getelementptr inbounds nuw i8, ptr %38, i64 %80
  %82 = getelementptr inbounds nuw i8, ptr %81, i64 8
  %83 = load i64, ptr %82, align 8, !tbaa !11
  %84 = load i64, ptr %81, align 8, !tbaa !11
  %85 = icmp eq i64 %84, 0
  br i1 %85, label %89, label %86

86:                                               ; preds = %77
  %87 = getelementptr inbounds i64, ptr %33, i64 %83
  %88 = load i64, ptr %87, align 8, !tbaa !11
  br label %89

89:                                               ; preds = %86, %77
  %90 = phi i64 [ %88, %86 ], [ %83, %77 ]
  %91 = getelementptr inbounds nuw i64, ptr %24, i64 %78
  store i64 %90, ptr %91, align 8, !tbaa !11
  br label %92

92:                                               ; preds = %89, %75, %19, %16, %20
  %93 = phi i32 [ -1, %19 ], [ 0, %20 ], [ -1, %16 ], [ 0, %75 ], [ 0, %89 ]
  ret i32 %93
}

; Function Attrs: nounwind uwtable
define i32 @__tvm_ffi_tvmfuse_sized_tensor(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef %3) local_unnamed_addr #2 {
  %5 = alloca %struct.Shape, align 8
  %6 = alloca %struct.Any, align 8
  %7 = alloca [5 x %struct.Any], align 8
  %8 = alloca [4 x %struct.Any], align 8
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 104
  %10 = load ptr, ptr %9, align 8, !tbaa !10
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 120
  %12 = load i64, ptr %11, align 8, !tbaa !10
  %13 = getelementptr inbounds nuw i8, ptr %10, i64 32
  %14 = load i64, ptr %13, align 8, !tbaa !11
  %15 = lshr i64 %14, 1
  %16 = add nuw i64 %15, 1
  %17 = alloca i64, i64 %16, align 16
  %18 = shl i64 %12, 3
  %19 = add i64 %18, 64
  %20 = alloca i8, i64 %19, align 16
  %21 = ptrtoint ptr %20 to i64
  %22 = sub i64 0, %21
  %23 = and i64 %22, 48
  %24 = getelementptr inbounds nuw i8, ptr %20, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %1, i64 128
  %26 = add nsw i32 %2, -8
  %27 = call fastcc i32 @find_out(ptr noundef nonnull %25, i32 noundef %26, ptr noundef nonnull %24, i64 noundef %12)
  %28 = icmp eq i32 %27, 0
  br i1 %28, label %29, label %226

29:                                               ; preds = %4
  %30 = load i64, ptr %13, align 8, !tbaa !11
  %31 = icmp ult i64 %30, 2
  br i1 %31, label %88, label %32

32:                                               ; preds = %29
  %33 = getelementptr inbounds nuw i8, ptr %10, i64 24
  %34 = load ptr, ptr %33, align 8, !tbaa !101
  %35 = lshr i64 %30, 1
  %36 = and i64 %35, 1
  %37 = icmp eq i64 %35, 1
  br i1 %37, label %73, label %38

38:                                               ; preds = %32
  %39 = and i64 %35, 9223372036854775806
  br label %40

40:                                               ; preds = %65, %38
  %41 = phi i64 [ 0, %38 ], [ %68, %65 ]
  %42 = phi i64 [ 0, %38 ], [ %69, %65 ]
  %43 = shl nuw i64 %41, 4
  %44 = getelementptr inbounds nuw i8, ptr %34, i64 %43
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 8
  %46 = load i64, ptr %45, align 8, !tbaa !11
  %47 = load i64, ptr %44, align 8, !tbaa !11
  %48 = icmp eq i64 %47, 0
  br i1 %48, label %52, label %49

49:                                               ; preds = %40
  %50 = getelementptr inbounds i64, ptr %24, i64 %46
  %51 = load i64, ptr %50, align 8, !tbaa !11
  br label %52

52:                                               ; preds = %49, %40
  %53 = phi i64 [ %51, %49 ], [ %46, %40 ]
  %54 = getelementptr inbounds nuw i64, ptr %17, i64 %41
  store i64 %53, ptr %54, align 16, !tbaa !11
  %55 = or disjoint i64 %41, 1
  %56 = shl nuw i64 %55, 4
  %57 = getelementptr inbounds nuw i8, ptr %34, i64 %56
  %58 = getelementptr inbounds nuw i8, ptr %57, i64 8
  %59 = load i64, ptr %58, align 8, !tbaa !11
  %60 = load i64, ptr %57, align 8, !tbaa !11
  %61 = icmp eq i64 %60, 0
  br i1 %61, label %65, label %62

62:                                               ; preds = %52
  %63 = getelementptr inbounds i64, ptr %24, i64 %59
  %64 = load i64, ptr %63, align 8, !tbaa !11
  br label %65

65:                                               ; preds = %62, %52
  %66 = phi i64 [ %64, %62 ], [ %59, %52 ]
  %67 = getelementptr inbounds nuw i64, ptr %17, i64 %55
  store i64 %66, ptr %67, align 8, !tbaa !11
  %68 = add nuw nsw i64 %41, 2
  %69 = add i64 %42, 2
  %70 = icmp eq i64 %69, %39
  br i1 %70, label %71, label %40, !llvm.loop !113

71:                                               ; preds = %65
  %72 = icmp eq i64 %36, 0
  br i1 %72, label %88, label %73

73:                                               ; preds = %71, %32
  %74 = phi i64 [ 0, %32 ], [ %68, %71 ]
  %75 = icmp ne i64 %36, 0
  call void @llvm.assume(i1 %75)
  %76 = shl nuw i64 %74, 4
  %77 = getelementptr inbounds nuw i8, ptr %34, i64 %76
  %78 = getelementptr inbounds nuw i8, ptr %77, i64 8
  %79 = load i64, ptr %78, align 8, !tbaa !11
  %80 = load i64, ptr %77, align 8, !tbaa !11
  %81 = icmp eq i64 %80, 0
  br i1 %81, label %85, label %82

82:                                               ; preds = %73
  %83 = getelementptr inbounds i64, ptr %24, i64 %79
  %84 = load i64, ptr %83, align 8, !tbaa !11
  br label %85

85:                                               ; preds = %82, %73
  %86 = phi i64 [ %84, %82 ], [ %79, %73 ]
  %87 = getelementptr inbounds nuw i64, ptr %17, i64 %74
  store i64 %86, ptr %87, align 8, !tbaa !11
  br label %88

88:                                               ; preds = %85, %71, %29
  %89 = phi i64 [ 0, %29 ], [ %35, %71 ], [ %35, %85 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #18
  store i64 4294967297, ptr %5, align 8, !tbaa !114
  %90 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store i32 69, ptr %90, align 8, !tbaa !115
  %91 = getelementptr inbounds nuw i8, ptr %5, i64 12
  store i32 0, ptr %91, align 4, !tbaa !116
  %92 = getelementptr inbounds nuw i8, ptr %5, i64 16
  store ptr null, ptr %92, align 8, !tbaa !102
  %93 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store ptr %17, ptr %93, align 8, !tbaa !101
  %94 = getelementptr inbounds nuw i8, ptr %5, i64 32
  store i64 %89, ptr %94, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #18
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %6, i8 0, i64 16, i1 false)
  %95 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %96 = load ptr, ptr %95, align 8, !tbaa !10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %7, ptr noundef nonnull align 8 dereferenceable(16) %1, i64 16, i1 false), !tbaa.struct !35
  %97 = getelementptr inbounds nuw i8, ptr %7, i64 16
  store i32 69, ptr %97, align 8, !tbaa !6
  %98 = getelementptr inbounds nuw i8, ptr %7, i64 20
  store i32 0, ptr %98, align 4, !tbaa !6
  %99 = getelementptr inbounds nuw i8, ptr %7, i64 24
  store ptr %5, ptr %99, align 8, !tbaa !10
  %100 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %101 = getelementptr inbounds nuw i8, ptr %1, i64 48
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %100, ptr noundef nonnull align 8 dereferenceable(16) %101, i64 16, i1 false), !tbaa.struct !35
  %102 = getelementptr inbounds nuw i8, ptr %7, i64 48
  %103 = getelementptr inbounds nuw i8, ptr %1, i64 64
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %102, ptr noundef nonnull align 8 dereferenceable(16) %103, i64 16, i1 false), !tbaa.struct !35
  %104 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %105 = getelementptr inbounds nuw i8, ptr %1, i64 80
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %104, ptr noundef nonnull align 8 dereferenceable(16) %105, i64 16, i1 false), !tbaa.struct !35
  %106 = getelementptr inbounds nuw i8, ptr %96, i64 24
  %107 = load ptr, ptr %106, align 8, !tbaa !31
  %108 = call i32 %107(ptr noundef %96, ptr noundef nonnull %7, i32 noundef 5, ptr noundef nonnull %6) #18
  %109 = icmp eq i32 %108, 0
  br i1 %109, label %110, label %224

110:                                              ; preds = %88
  %111 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %112 = load ptr, ptr %111, align 8, !tbaa !10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %8, ptr noundef nonnull align 8 dereferenceable(16) %6, i64 16, i1 false), !tbaa.struct !35
  %113 = getelementptr inbounds nuw i8, ptr %8, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %113, ptr noundef nonnull align 8 dereferenceable(16) @__const.__tvm_ffi_tvmfuse_sized_tensor.begin, i64 16, i1 false), !tbaa.struct !35
  %114 = getelementptr inbounds nuw i8, ptr %8, i64 32
  store i32 69, ptr %114, align 8, !tbaa !6
  %115 = getelementptr inbounds nuw i8, ptr %8, i64 36
  store i32 0, ptr %115, align 4, !tbaa !6
  %116 = getelementptr inbounds nuw i8, ptr %8, i64 40
  store ptr %5, ptr %116, align 8, !tbaa !10
  %117 = getelementptr inbounds nuw i8, ptr %8, i64 48
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %117, ptr noundef nonnull align 8 dereferenceable(16) %103, i64 16, i1 false), !tbaa.struct !35
  %118 = getelementptr inbounds nuw i8, ptr %112, i64 24
  %119 = load ptr, ptr %118, align 8, !tbaa !31
  %120 = call i32 %119(ptr noundef %112, ptr noundef nonnull %8, i32 noundef 4, ptr noundef %3) #18
  %121 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %122 = load ptr, ptr %121, align 8, !tbaa !10
  %123 = atomicrmw sub ptr %122, i64 1 acq_rel, align 8
  %124 = icmp eq i64 %123, 4294967297
  br i1 %124, label %125, label %128

125:                                              ; preds = %110
  %126 = getelementptr inbounds nuw i8, ptr %122, i64 16
  %127 = load ptr, ptr %126, align 8, !tbaa !102
  call void %127(ptr noundef %122, i32 noundef 3) #18
  br label %128

128:                                              ; preds = %110, %125
  %129 = icmp eq i32 %120, 0
  br i1 %129, label %130, label %224

130:                                              ; preds = %128
  %131 = load i32, ptr %3, align 8, !tbaa !13
  %132 = icmp eq i32 %131, 7
  %133 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %134 = load ptr, ptr %133, align 8, !tbaa !10
  %135 = select i1 %132, i64 0, i64 24
  %136 = getelementptr inbounds nuw i8, ptr %134, i64 %135
  %137 = load ptr, ptr %136, align 8, !tbaa !27
  %138 = getelementptr inbounds nuw i8, ptr %136, i64 20
  %139 = load i32, ptr %138, align 4, !tbaa !21
  %140 = lshr i32 %139, 8
  %141 = and i32 %140, 255
  %142 = add nuw nsw i32 %141, 7
  %143 = lshr i32 %142, 3
  %144 = zext nneg i32 %143 to i64
  %145 = getelementptr inbounds nuw i8, ptr %136, i64 16
  %146 = load i32, ptr %145, align 8, !tbaa !22
  %147 = icmp sgt i32 %146, 0
  br i1 %147, label %148, label %210

148:                                              ; preds = %130
  %149 = getelementptr inbounds nuw i8, ptr %136, i64 24
  %150 = load ptr, ptr %149, align 8, !tbaa !23
  %151 = zext nneg i32 %146 to i64
  %152 = and i64 %151, 7
  %153 = icmp ult i32 %146, 8
  br i1 %153, label %196, label %154

154:                                              ; preds = %148
  %155 = and i64 %151, 2147483640
  br label %156

156:                                              ; preds = %156, %154
  %157 = phi i64 [ 0, %154 ], [ %191, %156 ]
  %158 = phi i64 [ %144, %154 ], [ %190, %156 ]
  %159 = phi i64 [ 0, %154 ], [ %192, %156 ]
  %160 = getelementptr inbounds nuw i64, ptr %150, i64 %157
  %161 = load i64, ptr %160, align 8, !tbaa !11
  %162 = mul nsw i64 %161, %158
  %163 = getelementptr inbounds nuw i64, ptr %150, i64 %157
  %164 = getelementptr inbounds nuw i8, ptr %163, i64 8
  %165 = load i64, ptr %164, align 8, !tbaa !11
  %166 = mul nsw i64 %165, %162
  %167 = getelementptr inbounds nuw i64, ptr %150, i64 %157
  %168 = getelementptr inbounds nuw i8, ptr %167, i64 16
  %169 = load i64, ptr %168, align 8, !tbaa !11
  %170 = mul nsw i64 %169, %166
  %171 = getelementptr inbounds nuw i64, ptr %150, i64 %157
  %172 = getelementptr inbounds nuw i8, ptr %171, i64 24
  %173 = load i64, ptr %172, align 8, !tbaa !11
  %174 = mul nsw i64 %173, %170
  %175 = getelementptr inbounds nuw i64, ptr %150, i64 %157
  %176 = getelementptr inbounds nuw i8, ptr %175, i64 32
  %177 = load i64, ptr %176, align 8, !tbaa !11
  %178 = mul nsw i64 %177, %174
  %179 = getelementptr inbounds nuw i64, ptr %150, i64 %157
  %180 = getelementptr inbounds nuw i8, ptr %179, i64 40
  %181 = load i64, ptr %180, align 8, !tbaa !11
  %182 = mul nsw i64 %181, %178
  %183 = getelementptr inbounds nuw i64, ptr %150, i64 %157
  %184 = getelementptr inbounds nuw i8, ptr %183, i64 48
  %185 = load i64, ptr %184, align 8, !tbaa !11
  %186 = mul nsw i64 %185, %182
  %187 = getelementptr inbounds nuw i64, ptr %150, i64 %157
  %188 = getelementptr inbounds nuw i8, ptr %187, i64 56
  %189 = load i64, ptr %188, align 8, !tbaa !11
  %190 = mul nsw i64 %189, %186
  %191 = add nuw nsw i64 %157, 8
  %192 = add i64 %159, 8
  %193 = icmp eq i64 %192, %155
  br i1 %193, label %194, label %156, !llvm.loop !99

194:                                              ; preds = %156
  %195 = icmp eq i64 %152, 0
  br i1 %195, label %210, label %196

196:                                              ; preds = %194, %148
  %197 = phi i64 [ 0, %148 ], [ %191, %194 ]
  %198 = phi i64 [ %144, %148 ], [ %190, %194 ]
  %199 = icmp ne i64 %152, 0
  call void @llvm.assume(i1 %199)
  br label %200

200:                                              ; preds = %200, %196
  %201 = phi i64 [ %197, %196 ], [ %207, %200 ]
  %202 = phi i64 [ %198, %196 ], [ %206, %200 ]
  %203 = phi i64 [ 0, %196 ], [ %208, %200 ]
  %204 = getelementptr inbounds nuw i64, ptr %150, i64 %201
  %205 = load i64, ptr %204, align 8, !tbaa !11
  %206 = mul nsw i64 %205, %202
  %207 = add nuw nsw i64 %201, 1
  %208 = add i64 %203, 1
  %209 = icmp eq i64 %208, %152
  br i1 %209, label %210, label %200, !llvm.loop !117

210:                                              ; preds = %194, %200, %130
  %211 = phi i64 [ %144, %130 ], [ %190, %194 ], [ %206, %200 ]
  %212 = ptrtoint ptr %137 to i64
  %213 = add i64 %212, 2097151
  %214 = and i64 %213, -2097152
  %215 = add i64 %211, %212
  %216 = and i64 %215, -2097152
  %217 = icmp sgt i64 %211, 4194303
  %218 = icmp ult i64 %214, %216
  %219 = and i1 %217, %218
  br i1 %219, label %220, label %224

220:                                              ; preds = %210
  %221 = inttoptr i64 %214 to ptr
  %222 = sub nuw i64 %216, %214
  %223 = call i32 @madvise(ptr noundef %221, i64 noundef %222, i32 noundef 14) #18
  br label %224

224:                                              ; preds = %220, %210, %128, %88
  %225 = phi i32 [ -1, %88 ], [ %120, %128 ], [ 0, %210 ], [ 0, %220 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #18
  br label %226

226:                                              ; preds = %4, %224
  %227 = phi i32 [ %225, %224 ], [ -1, %4 ]
  ret i32 %227
}

; Function Attrs: nounwind uwtable
define range(i32 -1, 1) i32 @__tvm_ffi_tvmfuse_chooser(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #2 {
  %5 = sdiv i32 %2, 2
  %6 = sext i32 %5 to i64
  store i32 68, ptr %3, align 8, !tbaa !6
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %7, align 4, !tbaa !6
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 0, ptr %8, align 8, !tbaa !10
  %9 = shl nsw i64 %6, 4
  %10 = add nsw i64 %9, 56
  %11 = tail call noalias ptr @malloc(i64 noundef %10) #23
  %12 = icmp eq ptr %11, null
  br i1 %12, label %13, label %17

13:                                               ; preds = %4
  %14 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !31
  %15 = icmp eq ptr %14, null
  br i1 %15, label %85, label %16

16:                                               ; preds = %13
  tail call void %14(ptr noundef nonnull @.str.6, ptr noundef nonnull @.str.7) #18
  br label %85

17:                                               ; preds = %4
  store i64 4294967297, ptr %11, align 8, !tbaa !11
  %18 = getelementptr inbounds nuw i8, ptr %11, i64 8
  store i32 68, ptr %18, align 8, !tbaa !6
  %19 = getelementptr inbounds nuw i8, ptr %11, i64 12
  store i32 0, ptr %19, align 4, !tbaa !6
  %20 = getelementptr inbounds nuw i8, ptr %11, i64 16
  store ptr %11, ptr %8, align 8, !tbaa !10
  store ptr @forget_choices, ptr %20, align 8, !tbaa !102
  %21 = getelementptr inbounds nuw i8, ptr %11, i64 24
  store ptr @choose, ptr %21, align 8, !tbaa !31
  %22 = getelementptr inbounds nuw i8, ptr %11, i64 32
  store ptr null, ptr %22, align 8, !tbaa !31
  %23 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %24 = load ptr, ptr %23, align 8, !tbaa !10
  %25 = getelementptr inbounds nuw i8, ptr %11, i64 40
  store ptr %24, ptr %25, align 8, !tbaa !36
  %26 = getelementptr inbounds nuw i8, ptr %11, i64 48
  store i64 %6, ptr %26, align 8, !tbaa !11
  %27 = add i32 %2, 1
  %28 = icmp ult i32 %27, 3
  br i1 %28, label %49, label %29

29:                                               ; preds = %17
  %30 = getelementptr inbounds nuw i8, ptr %11, i64 56
  %31 = tail call i64 @llvm.umax.i64(i64 %6, i64 1)
  %32 = and i64 %31, 1
  %33 = icmp ult i32 %5, 2
  br i1 %33, label %38, label %34

34:                                               ; preds = %29
  %35 = and i64 %31, -2
  br label %53

36:                                               ; preds = %53
  %37 = icmp eq i64 %32, 0
  br i1 %37, label %49, label %38

38:                                               ; preds = %36, %29
  %39 = phi i64 [ 0, %29 ], [ %73, %36 ]
  %40 = icmp ne i64 %32, 0
  tail call void @llvm.assume(i1 %40)
  %41 = getelementptr inbounds nuw %struct.Choice, ptr %30, i64 %39
  %42 = shl i64 %39, 5
  %43 = getelementptr inbounds nuw i8, ptr %1, i64 %42
  %44 = getelementptr inbounds nuw i8, ptr %43, i64 24
  %45 = load ptr, ptr %44, align 8, !tbaa !10
  %46 = getelementptr i8, ptr %43, i64 40
  %47 = load ptr, ptr %46, align 8, !tbaa !10
  store ptr %45, ptr %41, align 8, !tbaa !31
  %48 = getelementptr inbounds nuw i8, ptr %41, i64 8
  store ptr %47, ptr %48, align 8, !tbaa !36
  br label %49

49:                                               ; preds = %38, %36, %17
  %50 = icmp sgt i32 %2, 0
  br i1 %50, label %51, label %85

51:                                               ; preds = %49
  %52 = zext nneg i32 %2 to i64
  br label %76

53:                                               ; preds = %53, %34
  %54 = phi i64 [ 0, %34 ], [ %73, %53 ]
  %55 = phi i64 [ 0, %34 ], [ %74, %53 ]
  %56 = getelementptr inbounds nuw %struct.Choice, ptr %30, i64 %54
  %57 = shl i64 %54, 5
  %58 = getelementptr inbounds nuw i8, ptr %1, i64 %57
  %59 = getelementptr inbounds nuw i8, ptr %58, i64 24
  %60 = load ptr, ptr %59, align 8, !tbaa !10
  %61 = getelementptr i8, ptr %58, i64 40
  %62 = load ptr, ptr %61, align 8, !tbaa !10
  store ptr %60, ptr %56, align 8, !tbaa !31
  %63 = getelementptr inbounds nuw i8, ptr %56, i64 8
  store ptr %62, ptr %63, align 8, !tbaa !36
  %64 = or disjoint i64 %54, 1
  %65 = getelementptr inbounds nuw %struct.Choice, ptr %30, i64 %64
  %66 = shl i64 %64, 5
  %67 = getelementptr inbounds nuw i8, ptr %1, i64 %66
  %68 = getelementptr inbounds nuw i8, ptr %67, i64 24
  %69 = load ptr, ptr %68, align 8, !tbaa !10
  %70 = getelementptr i8, ptr %67, i64 40
  %71 = load ptr, ptr %70, align 8, !tbaa !10
  store ptr %69, ptr %65, align 8, !tbaa !31
  %72 = getelementptr inbounds nuw i8, ptr %65, i64 8
  store ptr %71, ptr %72, align 8, !tbaa !36
  %73 = add nuw i64 %54, 2
  %74 = add i64 %55, 2
  %75 = icmp eq i64 %74, %35
  br i1 %75, label %36, label %53, !llvm.loop !118

76:                                               ; preds = %51, %76
  %77 = phi i64 [ 0, %51 ], [ %83, %76 ]
  %78 = load ptr, ptr @retain, align 8, !tbaa !31
  %79 = getelementptr inbounds nuw %struct.Any, ptr %1, i64 %77
  %80 = getelementptr inbounds nuw i8, ptr %79, i64 8
  %81 = load ptr, ptr %80, align 8, !tbaa !10
  %82 = tail call i32 %78(ptr noundef %81) #18
  %83 = add nuw nsw i64 %77, 1
  %84 = icmp eq i64 %83, %52
  br i1 %84, label %85, label %76, !llvm.loop !119

85:                                               ; preds = %76, %49, %16, %13
  %86 = phi i32 [ -1, %16 ], [ -1, %13 ], [ 0, %49 ], [ 0, %76 ]
  ret i32 %86
}

; Function Attrs: nounwind uwtable
define internal void @forget_choices(ptr noundef captures(none) %0, i32 noundef %1) #2 {
  %3 = and i32 %1, 1
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %28, label %5

5:                                                ; preds = %2
  %6 = load ptr, ptr @release, align 8, !tbaa !31
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %8 = load ptr, ptr %7, align 8, !tbaa !36
  %9 = tail call i32 %6(ptr noundef %8) #18
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %11 = load i64, ptr %10, align 8, !tbaa !11
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %28, label %13

13:                                               ; preds = %5
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 56
  br label %15

15:                                               ; preds = %13, %15
  %16 = phi i64 [ 0, %13 ], [ %25, %15 ]
  %17 = load ptr, ptr @release, align 8, !tbaa !31
  %18 = getelementptr inbounds nuw %struct.Choice, ptr %14, i64 %16
  %19 = load ptr, ptr %18, align 8, !tbaa !120
  %20 = tail call i32 %17(ptr noundef %19) #18
  %21 = load ptr, ptr @release, align 8, !tbaa !31
  %22 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %23 = load ptr, ptr %22, align 8, !tbaa !122
  %24 = tail call i32 %21(ptr noundef %23) #18
  %25 = add nuw i64 %16, 1
  %26 = load i64, ptr %10, align 8, !tbaa !11
  %27 = icmp ult i64 %25, %26
  br i1 %27, label %15, label %28, !llvm.loop !123

28:                                               ; preds = %15, %5, %2
  %29 = and i32 %1, 2
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %32, label %31

31:                                               ; preds = %28
  tail call void @free(ptr noundef %0) #18
  br label %32

32:                                               ; preds = %28, %31
  ret void
}

; Function Attrs: nounwind uwtable
define internal i32 @choose(ptr noundef readonly captures(none) %0, ptr noundef %1, i32 noundef %2, ptr noundef %3) #2 {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %6 = load i64, ptr %5, align 8, !tbaa !11
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %63, label %8

8:                                                ; preds = %4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %10 = sext i32 %2 to i64
  br label %11

11:                                               ; preds = %8, %58
  %12 = phi i64 [ 0, %8 ], [ %59, %58 ]
  %13 = getelementptr inbounds nuw %struct.Choice, ptr %9, i64 %12
  %14 = load ptr, ptr %13, align 8, !tbaa !120
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %16 = load ptr, ptr %15, align 8, !tbaa !101
  %17 = getelementptr inbounds nuw i8, ptr %14, i64 32
  %18 = load i64, ptr %17, align 8, !tbaa !11
  %19 = shl nuw nsw i64 %18, 3
  %20 = getelementptr inbounds nuw i8, ptr %16, i64 %19
  %21 = icmp eq i64 %18, 0
  br i1 %21, label %22, label %27

22:                                               ; preds = %11
  %23 = getelementptr inbounds nuw i8, ptr %13, i64 8
  br label %65

24:                                               ; preds = %50
  %25 = getelementptr inbounds nuw i8, ptr %28, i64 24
  %26 = icmp ult ptr %25, %20
  br i1 %26, label %27, label %61, !llvm.loop !124

27:                                               ; preds = %11, %24
  %28 = phi ptr [ %25, %24 ], [ %16, %11 ]
  %29 = load i64, ptr %28, align 8, !tbaa !11
  %30 = icmp slt i64 %29, %10
  br i1 %30, label %31, label %58

31:                                               ; preds = %27
  %32 = getelementptr inbounds %struct.Any, ptr %1, i64 %29
  %33 = load i32, ptr %32, align 8, !tbaa !13
  switch i32 %33, label %58 [
    i32 7, label %38
    i32 70, label %34
  ]

34:                                               ; preds = %31
  %35 = getelementptr inbounds nuw i8, ptr %32, i64 8
  %36 = load ptr, ptr %35, align 8, !tbaa !10
  %37 = getelementptr inbounds nuw i8, ptr %36, i64 24
  br label %42

38:                                               ; preds = %31
  %39 = getelementptr inbounds nuw i8, ptr %32, i64 8
  %40 = load ptr, ptr %39, align 8, !tbaa !10
  %41 = icmp eq ptr %40, null
  br i1 %41, label %58, label %42

42:                                               ; preds = %38, %34
  %43 = phi ptr [ %37, %34 ], [ %40, %38 ]
  %44 = getelementptr inbounds nuw i8, ptr %43, i64 16
  %45 = load i32, ptr %44, align 8, !tbaa !22
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %48 = load i64, ptr %47, align 8, !tbaa !11
  %49 = icmp slt i64 %48, %46
  br i1 %49, label %50, label %58

50:                                               ; preds = %42
  %51 = getelementptr inbounds nuw i8, ptr %43, i64 24
  %52 = load ptr, ptr %51, align 8, !tbaa !23
  %53 = getelementptr inbounds i64, ptr %52, i64 %48
  %54 = load i64, ptr %53, align 8, !tbaa !11
  %55 = getelementptr inbounds nuw i8, ptr %28, i64 16
  %56 = load i64, ptr %55, align 8, !tbaa !11
  %57 = icmp eq i64 %54, %56
  br i1 %57, label %24, label %58

58:                                               ; preds = %38, %42, %50, %27, %31
  %59 = add nuw i64 %12, 1
  %60 = icmp eq i64 %59, %6
  br i1 %60, label %63, label %11, !llvm.loop !125

61:                                               ; preds = %24
  %62 = getelementptr inbounds nuw i8, ptr %13, i64 8
  br label %65

63:                                               ; preds = %58, %4
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 40
  br label %65

65:                                               ; preds = %61, %22, %63
  %66 = phi ptr [ %62, %61 ], [ %23, %22 ], [ %64, %63 ]
  %67 = load ptr, ptr %66, align 8, !tbaa !36
  %68 = getelementptr inbounds nuw i8, ptr %67, i64 24
  %69 = load ptr, ptr %68, align 8, !tbaa !31
  %70 = tail call i32 %69(ptr noundef %67, ptr noundef %1, i32 noundef %2, ptr noundef %3) #18
  ret i32 %70
}

; Function Attrs: nounwind uwtable
define hidden void @TVMFFIErrorSetRaisedFromCStrParts(ptr noundef %0, ptr noundef readonly captures(none) %1, i32 noundef %2) local_unnamed_addr #2 {
  %4 = alloca [4096 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #18
  %5 = icmp sgt i32 %2, 0
  br i1 %5, label %6, label %8

6:                                                ; preds = %3
  %7 = zext nneg i32 %2 to i64
  br label %13

8:                                                ; preds = %24, %3
  %9 = phi i64 [ 0, %3 ], [ %25, %24 ]
  %10 = getelementptr inbounds nuw i8, ptr %4, i64 %9
  store i8 0, ptr %10, align 1, !tbaa !10
  %11 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !31
  %12 = icmp eq ptr %11, null
  br i1 %12, label %40, label %39

13:                                               ; preds = %6, %24
  %14 = phi i64 [ 0, %6 ], [ %26, %24 ]
  %15 = phi i64 [ 0, %6 ], [ %25, %24 ]
  %16 = getelementptr inbounds nuw ptr, ptr %1, i64 %14
  %17 = load ptr, ptr %16, align 8, !tbaa !36
  %18 = icmp eq ptr %17, null
  br i1 %18, label %24, label %19

19:                                               ; preds = %13
  %20 = load i8, ptr %17, align 1, !tbaa !10
  %21 = icmp ne i8 %20, 0
  %22 = icmp ult i64 %15, 4095
  %23 = select i1 %21, i1 %22, i1 false
  br i1 %23, label %28, label %24

24:                                               ; preds = %28, %19, %13
  %25 = phi i64 [ %15, %13 ], [ %15, %19 ], [ %32, %28 ]
  %26 = add nuw nsw i64 %14, 1
  %27 = icmp eq i64 %26, %7
  br i1 %27, label %8, label %13, !llvm.loop !126

28:                                               ; preds = %19, %28
  %29 = phi i8 [ %35, %28 ], [ %20, %19 ]
  %30 = phi i64 [ %32, %28 ], [ %15, %19 ]
  %31 = phi ptr [ %34, %28 ], [ %17, %19 ]
  %32 = add nuw nsw i64 %30, 1
  %33 = getelementptr inbounds nuw i8, ptr %4, i64 %30
  store i8 %29, ptr %33, align 1, !tbaa !10
  %34 = getelementptr inbounds nuw i8, ptr %31, i64 1
  %35 = load i8, ptr %34, align 1, !tbaa !10
  %36 = icmp ne i8 %35, 0
  %37 = icmp ult i64 %30, 4094
  %38 = and i1 %36, %37
  br i1 %38, label %28, label %24, !llvm.loop !127

39:                                               ; preds = %8
  call void %11(ptr noundef %0, ptr noundef nonnull %4) #18
  br label %40

40:                                               ; preds = %39, %8
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #18
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) uwtable
define internal void @record(ptr noundef writeonly captures(none) initializes((184, 204)) %0, ptr noundef %1, i64 noundef %2, i32 noundef %3) #0 {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 184
  store ptr %1, ptr %5, align 8, !tbaa !128
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 192
  store i64 %2, ptr %6, align 8, !tbaa !131
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 200
  store i32 %3, ptr %7, align 8, !tbaa !132
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable
define internal i64 @recorded(ptr noundef captures(none) initializes((184, 192)) %0) #10 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 184
  store ptr null, ptr %2, align 8, !tbaa !128
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %4 = load i64, ptr %3, align 8, !tbaa !131
  ret i64 %4
}

; Function Attrs: nounwind
declare i32 @pthread_key_create(ptr noundef, ptr noundef) local_unnamed_addr #11

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define internal noundef nonnull ptr @install(ptr noundef %0, ptr noundef %1, ptr noundef %2) #12 {
  store ptr %0, ptr @tvm, align 8, !tbaa !31
  store ptr %1, ptr @retain, align 8, !tbaa !31
  store ptr %2, ptr @release, align 8, !tbaa !31
  ret ptr @launch
}

; Function Attrs: nounwind uwtable
define internal noundef ptr @make_pool(i32 noundef %0, i32 noundef %1) #2 {
  %3 = tail call noalias dereferenceable_or_null(16592) ptr @calloc(i64 noundef 1, i64 noundef 16592) #24
  %4 = icmp eq ptr %3, null
  br i1 %4, label %14, label %5

5:                                                ; preds = %2
  store i32 %0, ptr %3, align 8, !tbaa !133
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 %1, ptr %6, align 4, !tbaa !134
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %8 = tail call i32 @pthread_mutex_init(ptr noundef nonnull %7, ptr noundef null) #18
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 48
  %10 = tail call i32 @pthread_cond_init(ptr noundef nonnull %9, ptr noundef null) #18
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 96
  %12 = tail call i32 @pthread_cond_init(ptr noundef nonnull %11, ptr noundef null) #18
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 176
  store i64 20000000, ptr %13, align 8, !tbaa !10
  br label %14

14:                                               ; preds = %2, %5
  ret ptr %3
}

; Function Attrs: nounwind uwtable
define internal void @use(ptr noundef %0) #2 {
  %2 = load i32, ptr @chosen, align 4, !tbaa !6
  %3 = tail call i32 @pthread_setspecific(i32 noundef %2, ptr noundef %0) #18
  ret void
}

; Function Attrs: nounwind uwtable
define internal i32 @launch(ptr noundef %0, ptr noundef %1, i32 noundef %2) #2 {
  %4 = alloca %struct.timespec, align 8
  %5 = alloca %struct.timespec, align 8
  %6 = alloca %struct.__sigset_t, align 8
  %7 = alloca %struct.__sigset_t, align 8
  %8 = alloca i64, align 8
  %9 = alloca %struct.timespec, align 8
  %10 = alloca %struct.timespec, align 8
  %11 = alloca %struct.timespec, align 8
  %12 = alloca %struct.timespec, align 8
  %13 = alloca %struct.Group, align 8
  %14 = alloca %struct.Group, align 8
  %15 = alloca %struct.Job, align 64
  %16 = load i32, ptr @chosen, align 4, !tbaa !6
  %17 = tail call ptr @pthread_getspecific(i32 noundef %16) #18
  %18 = icmp eq ptr %17, null
  br i1 %18, label %19, label %22

19:                                               ; preds = %3
  %20 = load ptr, ptr @tvm, align 8, !tbaa !31
  %21 = tail call i32 %20(ptr noundef %0, ptr noundef %1, i32 noundef %2) #18
  br label %394

22:                                               ; preds = %3
  %23 = getelementptr inbounds nuw i8, ptr %17, i64 184
  %24 = load ptr, ptr %23, align 8, !tbaa !128
  %25 = icmp eq ptr %24, null
  br i1 %25, label %79, label %26

26:                                               ; preds = %22
  call void @llvm.lifetime.start.p0(ptr nonnull %13) #18
  store ptr null, ptr %13, align 8, !tbaa !135
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %28 = icmp eq i32 %2, 0
  br i1 %28, label %29, label %32

29:                                               ; preds = %26
  %30 = getelementptr inbounds nuw i8, ptr %17, i64 200
  %31 = load i32, ptr %30, align 8, !tbaa !132
  br label %32

32:                                               ; preds = %29, %26
  %33 = phi i32 [ %31, %29 ], [ %2, %26 ]
  store i32 %33, ptr %27, align 8, !tbaa !137
  %34 = getelementptr inbounds nuw i8, ptr %13, i64 12
  store i32 0, ptr %34, align 4
  %35 = add nsw i32 %33, 2
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds nuw i8, ptr %17, i64 192
  %38 = load i64, ptr %37, align 8, !tbaa !131
  %39 = icmp slt i64 %38, %36
  %40 = sub nsw i64 %38, %36
  %41 = select i1 %39, i64 -1, i64 %40
  store i64 %41, ptr %37, align 8, !tbaa !131
  %42 = select i1 %39, i64 0, i64 %36
  %43 = getelementptr inbounds i64, ptr %24, i64 %42
  store ptr %43, ptr %23, align 8, !tbaa !128
  br i1 %39, label %54, label %44

44:                                               ; preds = %32
  %45 = sext i32 %33 to i64
  %46 = getelementptr inbounds nuw i8, ptr %24, i64 8
  store i64 %45, ptr %24, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr nonnull %12) #18
  %47 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %12) #18
  %48 = load i64, ptr %12, align 8, !tbaa !138
  %49 = mul nsw i64 %48, 1000000000
  %50 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %51 = load i64, ptr %50, align 8, !tbaa !140
  %52 = add nsw i64 %49, %51
  call void @llvm.lifetime.end.p0(ptr nonnull %12) #18
  %53 = getelementptr inbounds nuw i8, ptr %24, i64 16
  store i64 %52, ptr %46, align 8, !tbaa !11
  br label %54

54:                                               ; preds = %44, %32
  %55 = phi ptr [ %53, %44 ], [ %24, %32 ]
  %56 = icmp sgt i32 %33, 0
  br i1 %56, label %57, label %77

57:                                               ; preds = %54
  %58 = getelementptr inbounds nuw i8, ptr %11, i64 8
  br label %59

59:                                               ; preds = %70, %57
  %60 = phi i32 [ 0, %57 ], [ %72, %70 ]
  %61 = phi ptr [ %55, %57 ], [ %71, %70 ]
  %62 = call i32 %0(i32 noundef %60, ptr noundef nonnull %13, ptr noundef %1) #18
  br i1 %39, label %70, label %63

63:                                               ; preds = %59
  call void @llvm.lifetime.start.p0(ptr nonnull %11) #18
  %64 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %11) #18
  %65 = load i64, ptr %11, align 8, !tbaa !138
  %66 = mul nsw i64 %65, 1000000000
  %67 = load i64, ptr %58, align 8, !tbaa !140
  %68 = add nsw i64 %66, %67
  call void @llvm.lifetime.end.p0(ptr nonnull %11) #18
  %69 = getelementptr inbounds nuw i8, ptr %61, i64 8
  store i64 %68, ptr %61, align 8, !tbaa !11
  br label %70

70:                                               ; preds = %63, %59
  %71 = phi ptr [ %69, %63 ], [ %61, %59 ]
  %72 = add nuw nsw i32 %60, 1
  %73 = load i32, ptr %27, align 8, !tbaa !137
  %74 = icmp slt i32 %72, %73
  %75 = icmp eq i32 %62, 0
  %76 = select i1 %74, i1 %75, i1 false
  br i1 %76, label %59, label %77, !llvm.loop !141

77:                                               ; preds = %70, %54
  %78 = phi i32 [ 0, %54 ], [ %62, %70 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %13) #18
  br label %394

79:                                               ; preds = %22
  %80 = load i32, ptr %17, align 8, !tbaa !133
  %81 = icmp eq i32 %80, 1
  %82 = icmp eq i32 %2, 1
  %83 = or i1 %82, %81
  br i1 %83, label %84, label %99

84:                                               ; preds = %79
  call void @llvm.lifetime.start.p0(ptr nonnull %14) #18
  store ptr null, ptr %14, align 8, !tbaa !135
  %85 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %86 = tail call i32 @llvm.umax.i32(i32 %2, i32 1)
  store i32 %86, ptr %85, align 8, !tbaa !137
  %87 = getelementptr inbounds nuw i8, ptr %14, i64 12
  store i32 0, ptr %87, align 4
  %88 = icmp sgt i32 %86, 0
  br i1 %88, label %93, label %97

89:                                               ; preds = %93
  %90 = add nuw nsw i32 %94, 1
  %91 = load i32, ptr %85, align 8, !tbaa !137
  %92 = icmp slt i32 %90, %91
  br i1 %92, label %93, label %97, !llvm.loop !142

93:                                               ; preds = %84, %89
  %94 = phi i32 [ %90, %89 ], [ 0, %84 ]
  %95 = call i32 %0(i32 noundef %94, ptr noundef nonnull %14, ptr noundef %1) #18
  %96 = icmp eq i32 %95, 0
  br i1 %96, label %89, label %97

97:                                               ; preds = %93, %89, %84
  %98 = phi i32 [ 0, %84 ], [ 0, %89 ], [ %95, %93 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %14) #18
  br label %394

99:                                               ; preds = %79
  call void @llvm.lifetime.start.p0(ptr nonnull %10) #18
  %100 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %10) #18
  %101 = load i64, ptr %10, align 8, !tbaa !138
  %102 = mul nsw i64 %101, 1000000000
  %103 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %104 = load i64, ptr %103, align 8, !tbaa !140
  %105 = add nsw i64 %102, %104
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #18
  %106 = getelementptr inbounds nuw i8, ptr %17, i64 4
  %107 = load i32, ptr %106, align 4, !tbaa !134
  %108 = icmp eq i32 %107, 0
  br i1 %108, label %114, label %109

109:                                              ; preds = %99
  %110 = getelementptr inbounds nuw i8, ptr %17, i64 168
  %111 = load atomic i64, ptr %110 seq_cst, align 8
  %112 = icmp slt i64 %105, %111
  %113 = freeze i1 %112
  br i1 %113, label %114, label %115

114:                                              ; preds = %99, %109
  br label %115

115:                                              ; preds = %109, %114
  %116 = phi i64 [ 32000, %114 ], [ 4000, %109 ]
  %117 = ptrtoint ptr %0 to i64
  %118 = mul i64 %117, 1896216165397
  %119 = getelementptr inbounds nuw i8, ptr %17, i64 208
  %120 = lshr i64 %118, 32
  %121 = and i64 %120, 1023
  %122 = getelementptr inbounds nuw %struct.Past, ptr %119, i64 %121
  %123 = load atomic i64, ptr %122 monotonic, align 8
  %124 = inttoptr i64 %123 to ptr
  %125 = icmp eq ptr %0, %124
  br i1 %125, label %126, label %133

126:                                              ; preds = %115
  %127 = getelementptr inbounds nuw i8, ptr %122, i64 8
  %128 = load atomic i64, ptr %127 monotonic, align 8
  %129 = icmp slt i64 %128, %116
  call void @llvm.lifetime.start.p0(ptr nonnull %15) #18
  store ptr %0, ptr %15, align 64, !tbaa !143
  %130 = getelementptr inbounds nuw i8, ptr %15, i64 8
  store ptr %1, ptr %130, align 8, !tbaa !145
  %131 = getelementptr inbounds nuw i8, ptr %15, i64 16
  %132 = icmp eq i32 %2, 0
  br i1 %132, label %137, label %145

133:                                              ; preds = %115
  call void @llvm.lifetime.start.p0(ptr nonnull %15) #18
  store ptr %0, ptr %15, align 64, !tbaa !143
  %134 = getelementptr inbounds nuw i8, ptr %15, i64 8
  store ptr %1, ptr %134, align 8, !tbaa !145
  %135 = getelementptr inbounds nuw i8, ptr %15, i64 16
  %136 = icmp eq i32 %2, 0
  br i1 %136, label %138, label %145

137:                                              ; preds = %126
  br i1 %129, label %145, label %138

138:                                              ; preds = %133, %137
  %139 = phi ptr [ %130, %137 ], [ %134, %133 ]
  %140 = phi ptr [ %131, %137 ], [ %135, %133 ]
  %141 = load i32, ptr %17, align 8, !tbaa !133
  %142 = call i32 @llvm.smax.i32(i32 %141, i32 64)
  %143 = shl nsw i32 %141, 4
  %144 = call range(i32 -2147483648, 2147483633) i32 @llvm.smin.i32(i32 %143, i32 %142)
  br label %145

145:                                              ; preds = %133, %126, %138, %137
  %146 = phi ptr [ %131, %137 ], [ %140, %138 ], [ %131, %126 ], [ %135, %133 ]
  %147 = phi ptr [ %130, %137 ], [ %139, %138 ], [ %130, %126 ], [ %134, %133 ]
  %148 = phi i1 [ true, %137 ], [ false, %138 ], [ %129, %126 ], [ false, %133 ]
  %149 = phi i32 [ 8, %137 ], [ %144, %138 ], [ %2, %126 ], [ %2, %133 ]
  store ptr null, ptr %146, align 16, !tbaa !31
  %150 = getelementptr inbounds nuw i8, ptr %15, i64 24
  store i32 %149, ptr %150, align 8, !tbaa !6
  %151 = getelementptr inbounds nuw i8, ptr %15, i64 28
  store i32 0, ptr %151, align 4
  %152 = getelementptr inbounds nuw i8, ptr %15, i64 40
  %153 = getelementptr inbounds nuw i8, ptr %15, i64 44
  %154 = getelementptr inbounds nuw i8, ptr %15, i64 48
  %155 = icmp sgt i32 %149, 0
  %156 = select i1 %148, i1 %155, i1 false
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %152, i8 0, i64 16, i1 false)
  br i1 %156, label %157, label %184

157:                                              ; preds = %145
  %158 = getelementptr inbounds nuw i8, ptr %9, i64 8
  br label %159

159:                                              ; preds = %178, %157
  %160 = phi i32 [ 0, %157 ], [ %168, %178 ]
  %161 = phi i64 [ 0, %157 ], [ %179, %178 ]
  %162 = load ptr, ptr %15, align 64, !tbaa !143
  %163 = load ptr, ptr %147, align 8, !tbaa !145
  %164 = call i32 %162(i32 noundef %160, ptr noundef nonnull %146, ptr noundef %163) #18
  %165 = icmp eq i32 %164, 0
  br i1 %165, label %167, label %166

166:                                              ; preds = %159
  store atomic i32 1, ptr %153 seq_cst, align 4
  br label %167

167:                                              ; preds = %166, %159
  %168 = add nuw nsw i32 %160, 1
  %169 = and i32 %168, %160
  %170 = icmp eq i32 %169, 0
  br i1 %170, label %171, label %178

171:                                              ; preds = %167
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #18
  %172 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %9) #18
  %173 = load i64, ptr %9, align 8, !tbaa !138
  %174 = mul nsw i64 %173, 1000000000
  %175 = load i64, ptr %158, align 8, !tbaa !140
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #18
  %176 = sub i64 %175, %105
  %177 = add i64 %176, %174
  store atomic i64 %177, ptr %154 seq_cst, align 16
  br label %178

178:                                              ; preds = %171, %167
  %179 = phi i64 [ %161, %167 ], [ %177, %171 ]
  %180 = load i32, ptr %150, align 8, !tbaa !146
  %181 = icmp slt i32 %168, %180
  %182 = icmp slt i64 %179, %116
  %183 = select i1 %181, i1 %182, i1 false
  br i1 %183, label %159, label %184, !llvm.loop !147

184:                                              ; preds = %178, %145
  %185 = phi i32 [ %149, %145 ], [ %180, %178 ]
  %186 = phi i32 [ 0, %145 ], [ %168, %178 ]
  %187 = sub nsw i32 %185, %186
  %188 = icmp eq i32 %185, %186
  br i1 %188, label %368, label %189

189:                                              ; preds = %184
  %190 = load i32, ptr %17, align 8, !tbaa !133
  %191 = call i32 @llvm.smin.i32(i32 %190, i32 64)
  %192 = getelementptr inbounds nuw i8, ptr %15, i64 56
  store i32 %191, ptr %192, align 8, !tbaa !148
  %193 = sext i32 %191 to i64
  %194 = icmp sgt i32 %190, 0
  br i1 %194, label %195, label %198

195:                                              ; preds = %189
  %196 = getelementptr inbounds nuw i8, ptr %15, i64 64
  %197 = sext i32 %187 to i64
  br label %354

198:                                              ; preds = %354, %189
  %199 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %200 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #18
  %201 = getelementptr inbounds nuw i8, ptr %17, i64 156
  %202 = load i32, ptr %201, align 4, !tbaa !149
  %203 = load i32, ptr %17, align 8, !tbaa !133
  %204 = add nsw i32 %203, -1
  %205 = icmp slt i32 %202, %204
  br i1 %205, label %206, label %239

206:                                              ; preds = %198
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #18
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #18
  %207 = call i32 @sigfillset(ptr noundef nonnull %6) #18
  %208 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %6, ptr noundef nonnull %7) #18
  %209 = load i32, ptr %201, align 4, !tbaa !149
  %210 = load i32, ptr %17, align 8, !tbaa !133
  %211 = add nsw i32 %210, -1
  %212 = icmp slt i32 %209, %211
  br i1 %212, label %213, label %235

213:                                              ; preds = %206, %225
  %214 = phi i32 [ %231, %225 ], [ %209, %206 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #18
  %215 = call noalias dereferenceable_or_null(16) ptr @malloc(i64 noundef 16) #23
  %216 = icmp eq ptr %215, null
  br i1 %216, label %224, label %217

217:                                              ; preds = %213
  %218 = add nsw i32 %214, 1
  store ptr %17, ptr %215, align 8, !tbaa !31
  %219 = getelementptr inbounds nuw i8, ptr %215, i64 8
  store i32 %218, ptr %219, align 8, !tbaa !6
  %220 = getelementptr inbounds nuw i8, ptr %215, i64 12
  store i32 0, ptr %220, align 4
  %221 = call i32 @pthread_create(ptr noundef nonnull %8, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull %215) #18
  %222 = icmp eq i32 %221, 0
  br i1 %222, label %225, label %223

223:                                              ; preds = %217
  call void @free(ptr noundef nonnull %215) #18
  br label %224

224:                                              ; preds = %213, %223
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #18
  br label %235

225:                                              ; preds = %217
  %226 = load i64, ptr %8, align 8, !tbaa !11
  %227 = call i32 @pthread_setname_np(i64 noundef %226, ptr noundef nonnull @.str.4) #18
  %228 = load i64, ptr %8, align 8, !tbaa !11
  %229 = call i32 @pthread_detach(i64 noundef %228) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #18
  %230 = load i32, ptr %201, align 4, !tbaa !149
  %231 = add nsw i32 %230, 1
  store i32 %231, ptr %201, align 4, !tbaa !149
  %232 = load i32, ptr %17, align 8, !tbaa !133
  %233 = add nsw i32 %232, -1
  %234 = icmp slt i32 %231, %233
  br i1 %234, label %213, label %235, !llvm.loop !150

235:                                              ; preds = %225, %224, %206
  %236 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %7, ptr noundef null) #18
  %237 = load i32, ptr %201, align 4, !tbaa !149
  %238 = add nsw i32 %237, 1
  store i32 %238, ptr %17, align 8, !tbaa !133
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #18
  br label %239

239:                                              ; preds = %235, %198
  %240 = getelementptr inbounds nuw i8, ptr %17, i64 144
  %241 = load ptr, ptr %240, align 8, !tbaa !151
  %242 = getelementptr inbounds nuw i8, ptr %15, i64 32
  store ptr %241, ptr %242, align 32, !tbaa !152
  store ptr %15, ptr %240, align 8, !tbaa !151
  %243 = getelementptr inbounds nuw i8, ptr %17, i64 152
  %244 = atomicrmw add ptr %243, i32 1 seq_cst, align 8
  %245 = getelementptr inbounds nuw i8, ptr %17, i64 160
  %246 = load i32, ptr %245, align 8, !tbaa !153
  %247 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #18
  %248 = icmp eq i32 %246, 0
  br i1 %248, label %252, label %249

249:                                              ; preds = %239
  %250 = getelementptr inbounds nuw i8, ptr %17, i64 48
  %251 = call i32 @pthread_cond_broadcast(ptr noundef nonnull %250) #18
  br label %252

252:                                              ; preds = %239, %249
  call fastcc void @compute(ptr noundef %15, i32 noundef 0)
  %253 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #18
  br label %254

254:                                              ; preds = %254, %252
  %255 = phi ptr [ %240, %252 ], [ %258, %254 ]
  %256 = load ptr, ptr %255, align 8, !tbaa !154
  %257 = icmp eq ptr %256, %15
  %258 = getelementptr inbounds nuw i8, ptr %256, i64 32
  br i1 %257, label %259, label %254, !llvm.loop !155

259:                                              ; preds = %254
  %260 = load ptr, ptr %242, align 32, !tbaa !152
  store ptr %260, ptr %255, align 8, !tbaa !154
  %261 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #18
  %262 = load atomic i32, ptr %152 seq_cst, align 8
  %263 = icmp eq i32 %262, 0
  br i1 %263, label %368, label %264

264:                                              ; preds = %259
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #18
  %265 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #18
  %266 = load i64, ptr %5, align 8, !tbaa !138
  %267 = mul nsw i64 %266, 1000000000
  %268 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %269 = load i64, ptr %268, align 8, !tbaa !140
  %270 = add nsw i64 %267, %269
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #18
  %271 = load i32, ptr %106, align 4, !tbaa !134
  %272 = icmp eq i32 %271, 0
  br i1 %272, label %339, label %273

273:                                              ; preds = %264
  %274 = getelementptr inbounds nuw i8, ptr %17, i64 168
  %275 = getelementptr inbounds nuw i8, ptr %4, i64 8
  br label %276

276:                                              ; preds = %331, %273
  %277 = phi i64 [ %270, %273 ], [ %336, %331 ]
  %278 = load atomic i64, ptr %274 seq_cst, align 8
  %279 = icmp slt i64 %270, %278
  %280 = sub nsw i64 %277, %270
  %281 = icmp sgt i64 %280, 49999
  %282 = select i1 %279, i1 true, i1 %281
  br i1 %282, label %339, label %283

283:                                              ; preds = %276
  %284 = load atomic i32, ptr %152 seq_cst, align 8
  %285 = icmp eq i32 %284, 0
  br i1 %285, label %368, label %286

286:                                              ; preds = %283
  call void @llvm.x86.sse2.pause()
  %287 = load atomic i32, ptr %152 seq_cst, align 8
  %288 = icmp eq i32 %287, 0
  br i1 %288, label %368, label %289

289:                                              ; preds = %286
  call void @llvm.x86.sse2.pause()
  %290 = load atomic i32, ptr %152 seq_cst, align 8
  %291 = icmp eq i32 %290, 0
  br i1 %291, label %368, label %292

292:                                              ; preds = %289
  call void @llvm.x86.sse2.pause()
  %293 = load atomic i32, ptr %152 seq_cst, align 8
  %294 = icmp eq i32 %293, 0
  br i1 %294, label %368, label %295

295:                                              ; preds = %292
  call void @llvm.x86.sse2.pause()
  %296 = load atomic i32, ptr %152 seq_cst, align 8
  %297 = icmp eq i32 %296, 0
  br i1 %297, label %368, label %298

298:                                              ; preds = %295
  call void @llvm.x86.sse2.pause()
  %299 = load atomic i32, ptr %152 seq_cst, align 8
  %300 = icmp eq i32 %299, 0
  br i1 %300, label %368, label %301

301:                                              ; preds = %298
  call void @llvm.x86.sse2.pause()
  %302 = load atomic i32, ptr %152 seq_cst, align 8
  %303 = icmp eq i32 %302, 0
  br i1 %303, label %368, label %304

304:                                              ; preds = %301
  call void @llvm.x86.sse2.pause()
  %305 = load atomic i32, ptr %152 seq_cst, align 8
  %306 = icmp eq i32 %305, 0
  br i1 %306, label %368, label %307

307:                                              ; preds = %304
  call void @llvm.x86.sse2.pause()
  %308 = load atomic i32, ptr %152 seq_cst, align 8
  %309 = icmp eq i32 %308, 0
  br i1 %309, label %368, label %310

310:                                              ; preds = %307
  call void @llvm.x86.sse2.pause()
  %311 = load atomic i32, ptr %152 seq_cst, align 8
  %312 = icmp eq i32 %311, 0
  br i1 %312, label %368, label %313

313:                                              ; preds = %310
  call void @llvm.x86.sse2.pause()
  %314 = load atomic i32, ptr %152 seq_cst, align 8
  %315 = icmp eq i32 %314, 0
  br i1 %315, label %368, label %316

316:                                              ; preds = %313
  call void @llvm.x86.sse2.pause()
  %317 = load atomic i32, ptr %152 seq_cst, align 8
  %318 = icmp eq i32 %317, 0
  br i1 %318, label %368, label %319

319:                                              ; preds = %316
  call void @llvm.x86.sse2.pause()
  %320 = load atomic i32, ptr %152 seq_cst, align 8
  %321 = icmp eq i32 %320, 0
  br i1 %321, label %368, label %322

322:                                              ; preds = %319
  call void @llvm.x86.sse2.pause()
  %323 = load atomic i32, ptr %152 seq_cst, align 8
  %324 = icmp eq i32 %323, 0
  br i1 %324, label %368, label %325

325:                                              ; preds = %322
  call void @llvm.x86.sse2.pause()
  %326 = load atomic i32, ptr %152 seq_cst, align 8
  %327 = icmp eq i32 %326, 0
  br i1 %327, label %368, label %328

328:                                              ; preds = %325
  call void @llvm.x86.sse2.pause()
  %329 = load atomic i32, ptr %152 seq_cst, align 8
  %330 = icmp eq i32 %329, 0
  br i1 %330, label %368, label %331

331:                                              ; preds = %328
  call void @llvm.x86.sse2.pause()
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #18
  %332 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #18
  %333 = load i64, ptr %4, align 8, !tbaa !138
  %334 = mul nsw i64 %333, 1000000000
  %335 = load i64, ptr %275, align 8, !tbaa !140
  %336 = add nsw i64 %334, %335
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #18
  %337 = load i32, ptr %106, align 4, !tbaa !134
  %338 = icmp eq i32 %337, 0
  br i1 %338, label %339, label %276, !llvm.loop !156

339:                                              ; preds = %331, %276, %264
  %340 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #18
  %341 = getelementptr inbounds nuw i8, ptr %17, i64 164
  %342 = atomicrmw add ptr %341, i32 1 seq_cst, align 4
  %343 = load atomic i32, ptr %152 seq_cst, align 8
  %344 = icmp eq i32 %343, 0
  br i1 %344, label %351, label %345

345:                                              ; preds = %339
  %346 = getelementptr inbounds nuw i8, ptr %17, i64 96
  br label %347

347:                                              ; preds = %347, %345
  %348 = call i32 @pthread_cond_wait(ptr noundef nonnull %346, ptr noundef nonnull %199) #18
  %349 = load atomic i32, ptr %152 seq_cst, align 8
  %350 = icmp eq i32 %349, 0
  br i1 %350, label %351, label %347, !llvm.loop !157

351:                                              ; preds = %347, %339
  %352 = atomicrmw sub ptr %341, i32 1 seq_cst, align 4
  %353 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #18
  br label %368

354:                                              ; preds = %195, %354
  %355 = phi i64 [ 0, %195 ], [ %361, %354 ]
  %356 = getelementptr inbounds nuw %struct.Share, ptr %196, i64 %355
  %357 = mul nsw i64 %355, %197
  %358 = sdiv i64 %357, %193
  %359 = trunc i64 %358 to i32
  %360 = add nsw i32 %186, %359
  store i32 %360, ptr %356, align 64, !tbaa !10
  %361 = add nuw nsw i64 %355, 1
  %362 = mul nsw i64 %361, %197
  %363 = sdiv i64 %362, %193
  %364 = trunc i64 %363 to i32
  %365 = add nsw i32 %186, %364
  %366 = getelementptr inbounds nuw i8, ptr %356, i64 4
  store i32 %365, ptr %366, align 4, !tbaa !158
  %367 = icmp eq i64 %361, %193
  br i1 %367, label %198, label %354, !llvm.loop !160

368:                                              ; preds = %328, %325, %322, %319, %316, %313, %310, %307, %304, %301, %298, %295, %292, %289, %286, %283, %351, %259, %184
  %369 = load atomic i64, ptr %154 seq_cst, align 16
  %370 = load atomic i64, ptr %122 monotonic, align 8
  %371 = inttoptr i64 %370 to ptr
  %372 = icmp eq ptr %0, %371
  br i1 %372, label %373, label %376

373:                                              ; preds = %368
  %374 = getelementptr inbounds nuw i8, ptr %122, i64 8
  %375 = load atomic i64, ptr %374 monotonic, align 8
  br label %377

376:                                              ; preds = %368
  store atomic i64 %117, ptr %122 monotonic, align 8
  br label %377

377:                                              ; preds = %376, %373
  %378 = phi i64 [ %375, %373 ], [ 0, %376 ]
  %379 = icmp slt i64 %369, %378
  br i1 %379, label %380, label %383

380:                                              ; preds = %377
  %381 = add nsw i64 %378, %369
  %382 = sdiv i64 %381, 2
  br label %383

383:                                              ; preds = %377, %380
  %384 = phi i64 [ %382, %380 ], [ %369, %377 ]
  %385 = getelementptr inbounds nuw i8, ptr %122, i64 8
  store atomic i64 %384, ptr %385 monotonic, align 8
  %386 = load atomic i32, ptr %153 seq_cst, align 4
  %387 = icmp eq i32 %386, 0
  br i1 %387, label %392, label %388

388:                                              ; preds = %383
  %389 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !31
  %390 = icmp eq ptr %389, null
  br i1 %390, label %392, label %391

391:                                              ; preds = %388
  call void %389(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.3) #18
  br label %392

392:                                              ; preds = %388, %391, %383
  %393 = phi i32 [ 0, %383 ], [ -1, %391 ], [ -1, %388 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %15) #18
  br label %394

394:                                              ; preds = %392, %97, %77, %19
  %395 = phi i32 [ %78, %77 ], [ %98, %97 ], [ %393, %392 ], [ %21, %19 ]
  ret i32 %395
}

; Function Attrs: nounwind
declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr #11

; Function Attrs: nounwind uwtable
define internal fastcc void @compute(ptr noundef nonnull %0, i32 noundef %1) unnamed_addr #2 {
  %3 = alloca %struct.timespec, align 8
  %4 = alloca %struct.timespec, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #18
  %5 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #18
  %6 = load i64, ptr %4, align 8, !tbaa !138
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %8 = load i64, ptr %7, align 8, !tbaa !140
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #18
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %10 = load i32, ptr %9, align 8, !tbaa !148
  %11 = icmp sgt i32 %10, 0
  br i1 %11, label %12, label %17

12:                                               ; preds = %2
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 44
  br label %28

17:                                               ; preds = %55, %2
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 48
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #18
  %19 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #18
  %20 = load i64, ptr %3, align 8, !tbaa !138
  %21 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %22 = load i64, ptr %21, align 8, !tbaa !140
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #18
  %23 = sub i64 %20, %6
  %24 = mul i64 %23, 1000000000
  %25 = sub i64 %22, %8
  %26 = add i64 %25, %24
  %27 = atomicrmw add ptr %18, i64 %26 seq_cst, align 16
  ret void

28:                                               ; preds = %12, %55
  %29 = phi i32 [ %10, %12 ], [ %56, %55 ]
  %30 = phi i32 [ 0, %12 ], [ %57, %55 ]
  %31 = add nsw i32 %30, %1
  %32 = srem i32 %31, %29
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds %struct.Share, ptr %13, i64 %33
  %35 = getelementptr inbounds nuw i8, ptr %34, i64 4
  %36 = load atomic i32, ptr %34 monotonic, align 64
  %37 = load i32, ptr %35, align 4, !tbaa !158
  %38 = icmp slt i32 %36, %37
  br i1 %38, label %39, label %55

39:                                               ; preds = %28, %49
  %40 = atomicrmw add ptr %34, i32 1 seq_cst, align 64
  %41 = load i32, ptr %35, align 4, !tbaa !158
  %42 = icmp slt i32 %40, %41
  br i1 %42, label %43, label %49

43:                                               ; preds = %39
  %44 = load ptr, ptr %0, align 64, !tbaa !143
  %45 = load ptr, ptr %15, align 8, !tbaa !145
  %46 = call i32 %44(i32 noundef %40, ptr noundef nonnull %14, ptr noundef %45) #18
  %47 = icmp eq i32 %46, 0
  br i1 %47, label %49, label %48

48:                                               ; preds = %43
  store atomic i32 1, ptr %16 seq_cst, align 4
  br label %49

49:                                               ; preds = %48, %43, %39
  %50 = load atomic i32, ptr %34 monotonic, align 64
  %51 = load i32, ptr %35, align 4, !tbaa !158
  %52 = icmp slt i32 %50, %51
  br i1 %52, label %39, label %53, !llvm.loop !161

53:                                               ; preds = %49
  %54 = load i32, ptr %9, align 8, !tbaa !148
  br label %55

55:                                               ; preds = %53, %28
  %56 = phi i32 [ %54, %53 ], [ %29, %28 ]
  %57 = add nuw nsw i32 %30, 1
  %58 = icmp slt i32 %57, %56
  br i1 %58, label %28, label %17, !llvm.loop !162
}

; Function Attrs: nounwind
declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #11

; Function Attrs: nounwind
declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #11

; Function Attrs: nounwind
declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #11

; Function Attrs: nounwind
declare i32 @pthread_cond_broadcast(ptr noundef) local_unnamed_addr #11

; Function Attrs: nounwind
declare i32 @sigfillset(ptr noundef) local_unnamed_addr #11

; Function Attrs: nounwind
declare i32 @pthread_sigmask(i32 noundef, ptr noundef, ptr noundef) local_unnamed_addr #11

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #13

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #11

; Function Attrs: noreturn nounwind uwtable
define internal noalias noundef nonnull ptr @work(ptr noundef captures(none) %0) #14 {
  %2 = alloca %struct.timespec, align 8
  %3 = alloca [64 x i8], align 16
  %4 = alloca ptr, align 8
  %5 = alloca %struct.timespec, align 8
  %6 = alloca [64 x i8], align 16
  %7 = alloca ptr, align 8
  %8 = alloca %struct.timespec, align 8
  %9 = load ptr, ptr %0, align 8, !tbaa !31
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %11 = load i32, ptr %10, align 8, !tbaa !6
  tail call void @free(ptr noundef %0) #18
  %12 = tail call i32 (ptr, i32, ...) @open(ptr noundef nonnull @.str.5, i32 noundef 524288) #18
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #18
  %13 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %8) #18
  %14 = load i64, ptr %8, align 8, !tbaa !138
  %15 = mul nsw i64 %14, 1000000000
  %16 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %17 = load i64, ptr %16, align 8, !tbaa !140
  %18 = add nsw i64 %15, %17
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #18
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #18
  %19 = call i64 @pread(i32 noundef %12, ptr noundef nonnull %6, i64 noundef 63, i64 noundef 0) #18
  %20 = icmp slt i64 %19, 1
  br i1 %20, label %26, label %21

21:                                               ; preds = %1
  %22 = getelementptr inbounds nuw i8, ptr %6, i64 %19
  store i8 0, ptr %22, align 1, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #18
  %23 = call i64 @strtoll(ptr noundef nonnull %6, ptr noundef nonnull %7, i32 noundef 10) #18
  %24 = load ptr, ptr %7, align 8, !tbaa !36
  %25 = call i64 @strtoll(ptr noundef captures(none) %24, ptr noundef null, i32 noundef 10) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #18
  br label %26

26:                                               ; preds = %1, %21
  %27 = phi i64 [ %25, %21 ], [ 0, %1 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #18
  %28 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %29 = getelementptr inbounds nuw i8, ptr %9, i64 152
  %30 = getelementptr inbounds nuw i8, ptr %9, i64 144
  %31 = getelementptr inbounds nuw i8, ptr %9, i64 164
  %32 = getelementptr inbounds nuw i8, ptr %9, i64 96
  %33 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %34 = getelementptr inbounds nuw i8, ptr %9, i64 4
  %35 = getelementptr inbounds nuw i8, ptr %9, i64 168
  %36 = getelementptr inbounds nuw i8, ptr %9, i64 176
  %37 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %38 = getelementptr inbounds nuw i8, ptr %9, i64 160
  %39 = getelementptr inbounds nuw i8, ptr %9, i64 48
  br label %40

40:                                               ; preds = %210, %26
  %41 = phi i64 [ %18, %26 ], [ %211, %210 ]
  %42 = phi i64 [ %27, %26 ], [ %212, %210 ]
  br label %43

43:                                               ; preds = %76, %40
  %44 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #18
  %45 = load atomic i32, ptr %29 seq_cst, align 8
  %46 = load ptr, ptr %30, align 8, !tbaa !154
  %47 = icmp eq ptr %46, null
  br i1 %47, label %83, label %48

48:                                               ; preds = %43, %66
  %49 = phi ptr [ %68, %66 ], [ %46, %43 ]
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 64
  %51 = getelementptr inbounds nuw i8, ptr %49, i64 56
  %52 = load i32, ptr %51, align 8, !tbaa !148
  %53 = icmp sgt i32 %52, 0
  br i1 %53, label %54, label %66

54:                                               ; preds = %48
  %55 = zext nneg i32 %52 to i64
  br label %59

56:                                               ; preds = %59
  %57 = add nuw nsw i64 %60, 1
  %58 = icmp eq i64 %57, %55
  br i1 %58, label %66, label %59, !llvm.loop !163

59:                                               ; preds = %56, %54
  %60 = phi i64 [ 0, %54 ], [ %57, %56 ]
  %61 = getelementptr inbounds nuw %struct.Share, ptr %50, i64 %60
  %62 = load atomic i32, ptr %61 monotonic, align 64
  %63 = getelementptr inbounds nuw i8, ptr %61, i64 4
  %64 = load i32, ptr %63, align 4, !tbaa !158
  %65 = icmp slt i32 %62, %64
  br i1 %65, label %70, label %56

66:                                               ; preds = %56, %48
  %67 = getelementptr inbounds nuw i8, ptr %49, i64 32
  %68 = load ptr, ptr %67, align 8, !tbaa !154
  %69 = icmp eq ptr %68, null
  br i1 %69, label %83, label %48, !llvm.loop !164

70:                                               ; preds = %59
  %71 = getelementptr inbounds nuw i8, ptr %49, i64 40
  %72 = atomicrmw add ptr %71, i32 1 seq_cst, align 8
  %73 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #18
  call fastcc void @compute(ptr noundef %49, i32 noundef %11)
  %74 = atomicrmw sub ptr %71, i32 1 seq_cst, align 8
  %75 = icmp eq i32 %74, 1
  br i1 %75, label %77, label %76

76:                                               ; preds = %70, %77
  br label %43

77:                                               ; preds = %70
  %78 = load atomic i32, ptr %31 seq_cst, align 4
  %79 = icmp eq i32 %78, 0
  br i1 %79, label %76, label %80

80:                                               ; preds = %77
  %81 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #18
  %82 = call i32 @pthread_cond_broadcast(ptr noundef nonnull %32) #18
  br label %206

83:                                               ; preds = %43, %66
  %84 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #18
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #18
  %85 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #18
  %86 = load i64, ptr %5, align 8, !tbaa !138
  %87 = mul nsw i64 %86, 1000000000
  %88 = load i64, ptr %33, align 8, !tbaa !140
  %89 = add nsw i64 %87, %88
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #18
  %90 = load i32, ptr %34, align 4, !tbaa !134
  %91 = icmp eq i32 %90, 0
  br i1 %91, label %191, label %92

92:                                               ; preds = %83, %183
  %93 = phi i64 [ %134, %183 ], [ %41, %83 ]
  %94 = phi i64 [ %135, %183 ], [ %42, %83 ]
  %95 = phi i64 [ %188, %183 ], [ %89, %83 ]
  %96 = load atomic i64, ptr %35 seq_cst, align 8
  %97 = icmp slt i64 %95, %96
  %98 = sub nsw i64 %95, %89
  %99 = icmp sgt i64 %98, 999999
  %100 = select i1 %97, i1 true, i1 %99
  br i1 %100, label %191, label %101

101:                                              ; preds = %92
  %102 = sub nsw i64 %95, %93
  %103 = icmp slt i64 %102, 20000000
  br i1 %103, label %133, label %104

104:                                              ; preds = %101
  %105 = load i32, ptr %34, align 4, !tbaa !134
  %106 = icmp eq i32 %105, 0
  br i1 %106, label %133, label %107

107:                                              ; preds = %104
  %108 = load atomic i64, ptr %35 seq_cst, align 8
  %109 = icmp slt i64 %95, %108
  br i1 %109, label %133, label %110

110:                                              ; preds = %107
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #18
  %111 = call i64 @pread(i32 noundef %12, ptr noundef nonnull %3, i64 noundef 63, i64 noundef 0) #18
  %112 = icmp slt i64 %111, 1
  br i1 %112, label %118, label %113

113:                                              ; preds = %110
  %114 = getelementptr inbounds nuw i8, ptr %3, i64 %111
  store i8 0, ptr %114, align 1, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #18
  %115 = call i64 @strtoll(ptr noundef nonnull %3, ptr noundef nonnull %4, i32 noundef 10) #18
  %116 = load ptr, ptr %4, align 8, !tbaa !36
  %117 = call i64 @strtoll(ptr noundef captures(none) %116, ptr noundef null, i32 noundef 10) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #18
  br label %118

118:                                              ; preds = %113, %110
  %119 = phi i64 [ %117, %113 ], [ 0, %110 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #18
  %120 = load atomic i64, ptr %36 seq_cst, align 8
  %121 = sub nsw i64 %119, %94
  %122 = shl nsw i64 %121, 2
  %123 = icmp sgt i64 %122, %102
  br i1 %123, label %124, label %127

124:                                              ; preds = %118
  %125 = add nsw i64 %120, %95
  store atomic i64 %125, ptr %35 seq_cst, align 8
  %126 = shl nsw i64 %120, 1
  br label %129

127:                                              ; preds = %118
  %128 = sdiv i64 %120, 2
  br label %129

129:                                              ; preds = %127, %124
  %130 = phi i64 [ %126, %124 ], [ %128, %127 ]
  %131 = call i64 @llvm.smax.i64(i64 %130, i64 20000000)
  %132 = call i64 @llvm.umin.i64(i64 %131, i64 1000000000)
  store atomic i64 %132, ptr %36 seq_cst, align 8
  br label %133

133:                                              ; preds = %129, %107, %104, %101
  %134 = phi i64 [ %93, %101 ], [ %93, %104 ], [ %93, %107 ], [ %95, %129 ]
  %135 = phi i64 [ %94, %101 ], [ %94, %104 ], [ %94, %107 ], [ %119, %129 ]
  %136 = load atomic i32, ptr %29 seq_cst, align 8
  %137 = icmp eq i32 %136, %45
  br i1 %137, label %138, label %210

138:                                              ; preds = %133
  call void @llvm.x86.sse2.pause()
  %139 = load atomic i32, ptr %29 seq_cst, align 8
  %140 = icmp eq i32 %139, %45
  br i1 %140, label %141, label %210

141:                                              ; preds = %138
  call void @llvm.x86.sse2.pause()
  %142 = load atomic i32, ptr %29 seq_cst, align 8
  %143 = icmp eq i32 %142, %45
  br i1 %143, label %144, label %210

144:                                              ; preds = %141
  call void @llvm.x86.sse2.pause()
  %145 = load atomic i32, ptr %29 seq_cst, align 8
  %146 = icmp eq i32 %145, %45
  br i1 %146, label %147, label %210

147:                                              ; preds = %144
  call void @llvm.x86.sse2.pause()
  %148 = load atomic i32, ptr %29 seq_cst, align 8
  %149 = icmp eq i32 %148, %45
  br i1 %149, label %150, label %210

150:                                              ; preds = %147
  call void @llvm.x86.sse2.pause()
  %151 = load atomic i32, ptr %29 seq_cst, align 8
  %152 = icmp eq i32 %151, %45
  br i1 %152, label %153, label %210

153:                                              ; preds = %150
  call void @llvm.x86.sse2.pause()
  %154 = load atomic i32, ptr %29 seq_cst, align 8
  %155 = icmp eq i32 %154, %45
  br i1 %155, label %156, label %210

156:                                              ; preds = %153
  call void @llvm.x86.sse2.pause()
  %157 = load atomic i32, ptr %29 seq_cst, align 8
  %158 = icmp eq i32 %157, %45
  br i1 %158, label %159, label %210

159:                                              ; preds = %156
  call void @llvm.x86.sse2.pause()
  %160 = load atomic i32, ptr %29 seq_cst, align 8
  %161 = icmp eq i32 %160, %45
  br i1 %161, label %162, label %210

162:                                              ; preds = %159
  call void @llvm.x86.sse2.pause()
  %163 = load atomic i32, ptr %29 seq_cst, align 8
  %164 = icmp eq i32 %163, %45
  br i1 %164, label %165, label %210

165:                                              ; preds = %162
  call void @llvm.x86.sse2.pause()
  %166 = load atomic i32, ptr %29 seq_cst, align 8
  %167 = icmp eq i32 %166, %45
  br i1 %167, label %168, label %210

168:                                              ; preds = %165
  call void @llvm.x86.sse2.pause()
  %169 = load atomic i32, ptr %29 seq_cst, align 8
  %170 = icmp eq i32 %169, %45
  br i1 %170, label %171, label %210

171:                                              ; preds = %168
  call void @llvm.x86.sse2.pause()
  %172 = load atomic i32, ptr %29 seq_cst, align 8
  %173 = icmp eq i32 %172, %45
  br i1 %173, label %174, label %210

174:                                              ; preds = %171
  call void @llvm.x86.sse2.pause()
  %175 = load atomic i32, ptr %29 seq_cst, align 8
  %176 = icmp eq i32 %175, %45
  br i1 %176, label %177, label %210

177:                                              ; preds = %174
  call void @llvm.x86.sse2.pause()
  %178 = load atomic i32, ptr %29 seq_cst, align 8
  %179 = icmp eq i32 %178, %45
  br i1 %179, label %180, label %210

180:                                              ; preds = %177
  call void @llvm.x86.sse2.pause()
  %181 = load atomic i32, ptr %29 seq_cst, align 8
  %182 = icmp eq i32 %181, %45
  br i1 %182, label %183, label %210

183:                                              ; preds = %180
  call void @llvm.x86.sse2.pause()
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #18
  %184 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %2) #18
  %185 = load i64, ptr %2, align 8, !tbaa !138
  %186 = mul nsw i64 %185, 1000000000
  %187 = load i64, ptr %37, align 8, !tbaa !140
  %188 = add nsw i64 %186, %187
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #18
  %189 = load i32, ptr %34, align 4, !tbaa !134
  %190 = icmp eq i32 %189, 0
  br i1 %190, label %191, label %92, !llvm.loop !165

191:                                              ; preds = %183, %92, %83
  %192 = phi i64 [ %41, %83 ], [ %134, %183 ], [ %93, %92 ]
  %193 = phi i64 [ %42, %83 ], [ %135, %183 ], [ %94, %92 ]
  %194 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #18
  %195 = load i32, ptr %38, align 8, !tbaa !153
  %196 = add nsw i32 %195, 1
  store i32 %196, ptr %38, align 8, !tbaa !153
  %197 = load atomic i32, ptr %29 seq_cst, align 8
  %198 = icmp eq i32 %197, %45
  br i1 %198, label %199, label %203

199:                                              ; preds = %191, %199
  %200 = call i32 @pthread_cond_wait(ptr noundef nonnull %39, ptr noundef nonnull %28) #18
  %201 = load atomic i32, ptr %29 seq_cst, align 8
  %202 = icmp eq i32 %201, %45
  br i1 %202, label %199, label %203, !llvm.loop !166

203:                                              ; preds = %199, %191
  %204 = load i32, ptr %38, align 8, !tbaa !153
  %205 = add nsw i32 %204, -1
  store i32 %205, ptr %38, align 8, !tbaa !153
  br label %206

206:                                              ; preds = %80, %203
  %207 = phi i64 [ %41, %80 ], [ %192, %203 ]
  %208 = phi i64 [ %42, %80 ], [ %193, %203 ]
  %209 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #18
  br label %210

210:                                              ; preds = %138, %141, %144, %147, %150, %153, %156, %159, %162, %165, %168, %171, %174, %177, %180, %133, %206
  %211 = phi i64 [ %207, %206 ], [ %134, %133 ], [ %134, %180 ], [ %134, %177 ], [ %134, %174 ], [ %134, %171 ], [ %134, %168 ], [ %134, %165 ], [ %134, %162 ], [ %134, %159 ], [ %134, %156 ], [ %134, %153 ], [ %134, %150 ], [ %134, %147 ], [ %134, %144 ], [ %134, %141 ], [ %134, %138 ]
  %212 = phi i64 [ %208, %206 ], [ %135, %133 ], [ %135, %180 ], [ %135, %177 ], [ %135, %174 ], [ %135, %171 ], [ %135, %168 ], [ %135, %165 ], [ %135, %162 ], [ %135, %159 ], [ %135, %156 ], [ %135, %153 ], [ %135, %150 ], [ %135, %147 ], [ %135, %144 ], [ %135, %141 ], [ %135, %138 ]
  br label %40
}

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #15

; Function Attrs: nounwind
declare i32 @pthread_setname_np(i64 noundef, ptr noundef) local_unnamed_addr #11

; Function Attrs: nounwind
declare i32 @pthread_detach(i64 noundef) local_unnamed_addr #11

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef) local_unnamed_addr #3

; Function Attrs: nofree
declare noundef i32 @open(ptr noundef readonly captures(none), i32 noundef, ...) local_unnamed_addr #16

; Function Attrs: nofree
declare noundef i64 @pread(i32 noundef, ptr noundef captures(none), i64 noundef, i64 noundef) local_unnamed_addr #16

; Function Attrs: mustprogress nocallback nofree nounwind willreturn
declare i64 @strtoll(ptr noundef readonly, ptr noundef captures(none), i32 noundef) local_unnamed_addr #17

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #18

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #19

; Function Attrs: nounwind
declare i32 @pthread_mutex_init(ptr noundef, ptr noundef) local_unnamed_addr #11

; Function Attrs: nounwind
declare i32 @pthread_cond_init(ptr noundef, ptr noundef) local_unnamed_addr #11

; Function Attrs: nounwind
declare i32 @pthread_setspecific(i32 noundef, ptr noundef) local_unnamed_addr #11

; Function Attrs: nounwind
declare i32 @madvise(ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #11

; Function Attrs: mustprogress nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) uwtable
define internal void @forget(ptr noundef captures(none) %0, i32 noundef %1) #20 {
  %3 = and i32 %1, 2
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %6, label %5

5:                                                ; preds = %2
  tail call void @free(ptr noundef %0) #18
  br label %6

6:                                                ; preds = %5, %2
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umax.i32(i32, i32) #21

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #21

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #21

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #21

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i64> @llvm.fshl.v4i64(<4 x i64>, <4 x i64>, <4 x i64>) #21

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #21

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umax.i64(i64, i64) #21

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #22

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #3 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #4 = { nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #5 = { nofree norecurse nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #6 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #7 = { mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #8 = { nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="256" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #9 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #10 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #11 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #12 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #13 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #14 = { noreturn nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #15 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #16 = { nofree "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #17 = { mustprogress nocallback nofree nounwind willreturn "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #18 = { nounwind }
attributes #19 = { mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #20 = { mustprogress nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #21 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #22 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #23 = { nounwind allocsize(0) }
attributes #24 = { nounwind allocsize(0,1) }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}
!llvm.errno.tbaa = !{!6}

!0 = !{i32 7, !"Dwarf Version", i32 4}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 22.1.8"}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
!10 = !{!8, !8, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"long", !8, i64 0}
!13 = !{!14, !7, i64 0}
!14 = !{!"", !7, i64 0, !7, i64 4, !8, i64 8}
!15 = !{!16, !7, i64 8}
!16 = !{!"", !17, i64 0, !7, i64 8, !7, i64 12, !7, i64 16, !7, i64 20, !19, i64 24, !19, i64 32, !12, i64 40}
!17 = !{!"p1 omnipotent char", !18, i64 0}
!18 = !{!"any pointer", !8, i64 0}
!19 = !{!"p1 long", !18, i64 0}
!20 = !{!16, !7, i64 12}
!21 = !{!16, !7, i64 20}
!22 = !{!16, !7, i64 16}
!23 = !{!16, !19, i64 24}
!24 = !{!16, !19, i64 32}
!25 = distinct !{!25, !26}
!26 = !{!"llvm.loop.mustprogress"}
!27 = !{!16, !17, i64 0}
!28 = !{!16, !12, i64 40}
!29 = distinct !{!29, !26}
!30 = distinct !{!30, !26}
!31 = !{!18, !18, i64 0}
!32 = !{!33, !12, i64 8}
!33 = !{!"", !18, i64 0, !12, i64 8}
!34 = !{!33, !18, i64 0}
!35 = !{i64 0, i64 4, !6, i64 4, i64 4, !6, i64 8, i64 8, !10}
!36 = !{!17, !17, i64 0}
!37 = !{!38, !18, i64 64}
!38 = !{!"", !18, i64 0, !18, i64 8, !18, i64 16, !18, i64 24, !18, i64 32, !18, i64 40, !18, i64 48, !18, i64 56, !18, i64 64, !18, i64 72, !18, i64 80, !18, i64 88}
!39 = !{!40, !12, i64 32}
!40 = !{!"", !17, i64 0, !18, i64 8, !12, i64 16, !18, i64 24, !12, i64 32, !12, i64 40, !12, i64 48, !12, i64 56, !18, i64 64, !18, i64 72, !18, i64 80, !19, i64 88}
!41 = !{!40, !12, i64 48}
!42 = !{!38, !18, i64 24}
!43 = !{!40, !18, i64 64}
!44 = !{!45, !12, i64 0}
!45 = !{!"", !12, i64 0, !16, i64 8, !18, i64 56}
!46 = !{!38, !18, i64 32}
!47 = !{!38, !18, i64 0}
!48 = !{!38, !18, i64 88}
!49 = distinct !{!49, !26}
!50 = distinct !{!50, !26}
!51 = !{!40, !12, i64 40}
!52 = !{!40, !18, i64 72}
!53 = !{!54, !12, i64 0}
!54 = !{!"", !12, i64 0, !18, i64 8, !12, i64 16, !17, i64 24}
!55 = !{!54, !18, i64 8}
!56 = !{!38, !18, i64 8}
!57 = !{!54, !17, i64 24}
!58 = !{!54, !12, i64 16}
!59 = distinct !{!59, !26}
!60 = !{!38, !18, i64 56}
!61 = !{!38, !18, i64 16}
!62 = !{!40, !18, i64 80}
!63 = !{!64, !18, i64 0}
!64 = !{!"", !18, i64 0, !18, i64 8}
!65 = distinct !{!65, !26}
!66 = !{!64, !18, i64 8}
!67 = distinct !{!67, !26}
!68 = !{!45, !18, i64 56}
!69 = distinct !{!69, !26}
!70 = distinct !{!70, !71}
!71 = !{!"llvm.loop.unroll.disable"}
!72 = !{!40, !18, i64 24}
!73 = !{!40, !17, i64 0}
!74 = !{!40, !18, i64 8}
!75 = !{!40, !12, i64 16}
!76 = !{!38, !18, i64 40}
!77 = !{!40, !12, i64 56}
!78 = !{!40, !19, i64 88}
!79 = !{!38, !18, i64 72}
!80 = !{!38, !18, i64 48}
!81 = !{!38, !18, i64 80}
!82 = distinct !{!82, !26}
!83 = !{!84, !18, i64 32}
!84 = !{!"", !12, i64 0, !12, i64 8, !12, i64 16, !18, i64 24, !18, i64 32}
!85 = !{!84, !12, i64 8}
!86 = !{!84, !12, i64 0}
!87 = !{!84, !18, i64 24}
!88 = !{!89, !12, i64 16}
!89 = !{!"", !18, i64 0, !17, i64 8, !12, i64 16}
!90 = distinct !{!90, !26}
!91 = !{!89, !17, i64 8}
!92 = distinct !{!92, !26}
!93 = distinct !{!93, !26}
!94 = !{!84, !12, i64 16}
!95 = distinct !{!95, !26}
!96 = !{!89, !18, i64 0}
!97 = distinct !{!97, !26}
!98 = distinct !{!98, !26}
!99 = distinct !{!99, !26}
!100 = distinct !{!100, !71}
!101 = !{!19, !19, i64 0}
!102 = !{!103, !18, i64 16}
!103 = !{!"", !12, i64 0, !7, i64 8, !7, i64 12, !18, i64 16}
!104 = distinct !{!104, !26}
!105 = distinct !{!105, !26}
!106 = !{!14, !7, i64 4}
!107 = distinct !{!107, !71}
!108 = distinct !{!108, !26}
!109 = distinct !{!109, !71}
!110 = distinct !{!110, !26}
!111 = distinct !{!111, !71}
!112 = distinct !{!112, !26}
!113 = distinct !{!113, !26}
!114 = !{!103, !12, i64 0}
!115 = !{!103, !7, i64 8}
!116 = !{!103, !7, i64 12}
!117 = distinct !{!117, !71}
!118 = distinct !{!118, !26}
!119 = distinct !{!119, !26}
!120 = !{!121, !18, i64 0}
!121 = !{!"", !18, i64 0, !17, i64 8}
!122 = !{!121, !17, i64 8}
!123 = distinct !{!123, !26}
!124 = distinct !{!124, !26}
!125 = distinct !{!125, !26}
!126 = distinct !{!126, !26}
!127 = distinct !{!127, !26}
!128 = !{!129, !19, i64 184}
!129 = !{!"", !7, i64 0, !7, i64 4, !8, i64 8, !8, i64 48, !8, i64 96, !130, i64 144, !8, i64 152, !7, i64 156, !7, i64 160, !8, i64 164, !8, i64 168, !8, i64 176, !19, i64 184, !12, i64 192, !7, i64 200, !8, i64 208}
!130 = !{!"p1 _ZTS3Job", !18, i64 0}
!131 = !{!129, !12, i64 192}
!132 = !{!129, !7, i64 200}
!133 = !{!129, !7, i64 0}
!134 = !{!129, !7, i64 4}
!135 = !{!136, !18, i64 0}
!136 = !{!"", !18, i64 0, !7, i64 8}
!137 = !{!136, !7, i64 8}
!138 = !{!139, !12, i64 0}
!139 = !{!"timespec", !12, i64 0, !12, i64 8}
!140 = !{!139, !12, i64 8}
!141 = distinct !{!141, !26}
!142 = distinct !{!142, !26}
!143 = !{!144, !18, i64 0}
!144 = !{!"Job", !18, i64 0, !18, i64 8, !136, i64 16, !130, i64 32, !8, i64 40, !8, i64 44, !8, i64 48, !7, i64 56, !8, i64 64}
!145 = !{!144, !18, i64 8}
!146 = !{!144, !7, i64 24}
!147 = distinct !{!147, !26}
!148 = !{!144, !7, i64 56}
!149 = !{!129, !7, i64 156}
!150 = distinct !{!150, !26}
!151 = !{!129, !130, i64 144}
!152 = !{!144, !130, i64 32}
!153 = !{!129, !7, i64 160}
!154 = !{!130, !130, i64 0}
!155 = distinct !{!155, !26}
!156 = distinct !{!156, !26}
!157 = distinct !{!157, !26}
!158 = !{!159, !7, i64 4}
!159 = !{!"", !8, i64 0, !7, i64 4}
!160 = distinct !{!160, !26}
!161 = distinct !{!161, !26}
!162 = distinct !{!162, !26}
!163 = distinct !{!163, !26}
!164 = distinct !{!164, !26}
!165 = distinct !{!165, !26}
!166 = distinct !{!166, !26}
