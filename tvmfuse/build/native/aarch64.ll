; Made by .ci/native from the C files whose SHA-256 is 16aa3819c21b9209146a2a026bcc77a4cdc29e3f4e9b6d2d99ff997b68cb37ac
; ModuleID = 'native.c'
source_filename = "native.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "aarch64-unknown-linux5.10.0-gnu2.17.0"

%struct.anon = type { ptr, ptr }
%struct.anon.0 = type { ptr, ptr, ptr }
%struct.Any = type { i32, i32, %union.anon }
%union.anon = type { i64 }
%struct.anon.2 = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.anon.3 = type { ptr, ptr }
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
%struct.Element = type { i64, i64 }

@__TVMFFIErrorSetRaisedFromCStr = local_unnamed_addr global ptr @say_nothing, align 8
@recorder = internal constant %struct.anon { ptr @record, ptr @recorded }, align 8
@once = internal global i32 0, align 4
@launcher = internal constant %struct.anon.0 { ptr @install, ptr @make_pool, ptr @use }, align 8
@.str = private unnamed_addr constant [11 x i8] c"quick_call\00", align 1
@.str.1 = private unnamed_addr constant [15 x i8] c"watched_memory\00", align 1
@__const.__tvm_ffi_tvmfuse_sized_tensor.begin = private unnamed_addr constant %struct.Any { i32 1, i32 0, %union.anon zeroinitializer }, align 8
@retain = internal unnamed_addr global ptr null, align 8
@__TVMBackendAllocWorkspace = local_unnamed_addr global ptr @allocate_workspace, align 8
@__TVMBackendFreeWorkspace = local_unnamed_addr global ptr @free_workspace, align 8
@__TVMFFIEnvModLookupFromImports = local_unnamed_addr global ptr @find_packed, align 8
@__TVMFFIHandleInitOnce = local_unnamed_addr global ptr @find_once, align 8
@__TVMFFIFunctionCall = local_unnamed_addr global ptr @call_found, align 8
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
@packed = internal constant [2 x %struct.anon.3] [%struct.anon.3 { ptr @.str.9, ptr @refuse_index }, %struct.anon.3 { ptr @.str.10, ptr @top_k }], align 8
@.str.8 = private unnamed_addr constant [56 x i8] c"the model calls a function of TVM's that only TVM has: \00", align 1
@.str.9 = private unnamed_addr constant [27 x i8] c"tvmfuse.index_out_of_range\00", align 1
@.str.10 = private unnamed_addr constant [22 x i8] c"tvm.contrib.sort.topk\00", align 1
@.str.11 = private unnamed_addr constant [23 x i8] c"expected numbers from \00", align 1
@.str.13 = private unnamed_addr constant [14 x i8] c", indices of \00", align 1
@.str.14 = private unnamed_addr constant [16 x i8] c" elements, of '\00", align 1
@.str.15 = private unnamed_addr constant [10 x i8] c"'; found \00", align 1
@.str.16 = private unnamed_addr constant [21 x i8] c"IndexOutOfRangeError\00", align 1
@.str.17 = private unnamed_addr constant [8 x i8] c"indices\00", align 1
@.str.18 = private unnamed_addr constant [7 x i8] c"values\00", align 1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal void @say_nothing(ptr readnone captures(none) %0, ptr readnone captures(none) %1) #0 {
  ret void
}

; Function Attrs: nounwind uwtable
define hidden void @TVMFFIErrorSetRaisedFromCStrParts(ptr noundef %0, ptr noundef readonly captures(none) %1, i32 noundef %2) local_unnamed_addr #1 {
  %4 = alloca [4096 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #25
  %5 = icmp sgt i32 %2, 0
  br i1 %5, label %6, label %8

6:                                                ; preds = %3
  %7 = zext nneg i32 %2 to i64
  br label %12

8:                                                ; preds = %23, %3
  %9 = phi i64 [ 0, %3 ], [ %24, %23 ]
  %10 = getelementptr inbounds nuw i8, ptr %4, i64 %9
  store i8 0, ptr %10, align 1, !tbaa !10
  %11 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  call void %11(ptr noundef %0, ptr noundef nonnull %4) #25
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #25
  ret void

12:                                               ; preds = %6, %23
  %13 = phi i64 [ 0, %6 ], [ %25, %23 ]
  %14 = phi i64 [ 0, %6 ], [ %24, %23 ]
  %15 = getelementptr inbounds nuw ptr, ptr %1, i64 %13
  %16 = load ptr, ptr %15, align 8, !tbaa !13
  %17 = icmp eq ptr %16, null
  br i1 %17, label %23, label %18

18:                                               ; preds = %12
  %19 = load i8, ptr %16, align 1, !tbaa !10
  %20 = icmp ne i8 %19, 0
  %21 = icmp ult i64 %14, 4095
  %22 = select i1 %20, i1 %21, i1 false
  br i1 %22, label %27, label %23

23:                                               ; preds = %27, %18, %12
  %24 = phi i64 [ %14, %12 ], [ %14, %18 ], [ %31, %27 ]
  %25 = add nuw nsw i64 %13, 1
  %26 = icmp eq i64 %25, %7
  br i1 %26, label %8, label %12, !llvm.loop !15

27:                                               ; preds = %18, %27
  %28 = phi i8 [ %34, %27 ], [ %19, %18 ]
  %29 = phi i64 [ %31, %27 ], [ %14, %18 ]
  %30 = phi ptr [ %33, %27 ], [ %16, %18 ]
  %31 = add nuw nsw i64 %29, 1
  %32 = getelementptr inbounds nuw i8, ptr %4, i64 %29
  store i8 %28, ptr %32, align 1, !tbaa !10
  %33 = getelementptr inbounds nuw i8, ptr %30, i64 1
  %34 = load i8, ptr %33, align 1, !tbaa !10
  %35 = icmp ne i8 %34, 0
  %36 = icmp ult i64 %29, 4094
  %37 = and i1 %35, %36
  br i1 %37, label %27, label %23, !llvm.loop !17
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_recorder(ptr noundef readnone captures(none) %0, ptr noundef readnone captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #3 {
  store i32 1, ptr %3, align 8, !tbaa !6
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %5, align 4, !tbaa !6
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 ptrtoint (ptr @recorder to i64), ptr %6, align 8, !tbaa !10
  ret i32 0
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #4

; Function Attrs: nounwind uwtable
define noundef i32 @__tvm_ffi_tvmfuse_launcher(ptr noundef readnone captures(none) %0, ptr noundef readnone captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #1 {
  %5 = tail call i32 @pthread_once(ptr noundef nonnull @once, ptr noundef nonnull @make_key) #25
  store i32 1, ptr %3, align 8, !tbaa !6
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %6, align 4, !tbaa !6
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 ptrtoint (ptr @launcher to i64), ptr %7, align 8, !tbaa !10
  ret i32 0
}

declare i32 @pthread_once(ptr noundef, ptr noundef) local_unnamed_addr #5

; Function Attrs: nounwind uwtable
define internal void @make_key() #1 {
  %1 = tail call i32 @pthread_key_create(ptr noundef nonnull @chosen, ptr noundef null) #25
  ret void
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_known(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #6 {
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
define internal fastcc range(i32 0, 2) i32 @known(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef range(i32 -2147483648, 2147483647) %2) unnamed_addr #7 {
  %4 = load i64, ptr %0, align 8, !tbaa !18
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
  %18 = load i32, ptr %17, align 8, !tbaa !20
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
  %30 = load i32, ptr %29, align 8, !tbaa !22
  %31 = sext i32 %30 to i64
  %32 = load i64, ptr %16, align 8, !tbaa !18
  %33 = icmp eq i64 %32, %31
  br i1 %33, label %34, label %100

34:                                               ; preds = %27
  %35 = getelementptr inbounds nuw i8, ptr %28, i64 12
  %36 = load i32, ptr %35, align 4, !tbaa !25
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %39 = load i64, ptr %38, align 8, !tbaa !18
  %40 = icmp eq i64 %39, %37
  br i1 %40, label %41, label %100

41:                                               ; preds = %34
  %42 = getelementptr inbounds nuw i8, ptr %28, i64 20
  %43 = load i32, ptr %42, align 4, !tbaa !26
  %44 = zext i32 %43 to i64
  %45 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %46 = load i64, ptr %45, align 8, !tbaa !18
  %47 = icmp eq i64 %46, %44
  br i1 %47, label %48, label %100

48:                                               ; preds = %41
  %49 = getelementptr inbounds nuw i8, ptr %28, i64 16
  %50 = load i32, ptr %49, align 8, !tbaa !27
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds nuw i8, ptr %16, i64 24
  %53 = load i64, ptr %52, align 8, !tbaa !18
  %54 = icmp eq i64 %53, %51
  br i1 %54, label %55, label %100

55:                                               ; preds = %48
  %56 = getelementptr inbounds nuw i8, ptr %16, i64 32
  %57 = icmp slt i32 %50, 1
  br i1 %57, label %84, label %58

58:                                               ; preds = %55
  %59 = getelementptr inbounds nuw i8, ptr %28, i64 24
  %60 = load ptr, ptr %59, align 8, !tbaa !28
  %61 = getelementptr inbounds nuw i8, ptr %28, i64 32
  %62 = zext nneg i32 %50 to i64
  br label %63

63:                                               ; preds = %81, %58
  %64 = phi i64 [ %62, %58 ], [ %66, %81 ]
  %65 = phi i64 [ 1, %58 ], [ %82, %81 ]
  %66 = add nsw i64 %64, -1
  %67 = getelementptr inbounds nuw i64, ptr %60, i64 %66
  %68 = load i64, ptr %67, align 8, !tbaa !18
  %69 = getelementptr inbounds nuw i64, ptr %56, i64 %66
  %70 = load i64, ptr %69, align 8, !tbaa !18
  %71 = icmp eq i64 %68, %70
  br i1 %71, label %72, label %98

72:                                               ; preds = %63
  %73 = load ptr, ptr %61, align 8, !tbaa !29
  %74 = icmp eq ptr %73, null
  %75 = icmp eq i64 %68, 1
  %76 = or i1 %75, %74
  br i1 %76, label %81, label %77

77:                                               ; preds = %72
  %78 = getelementptr inbounds nuw i64, ptr %73, i64 %66
  %79 = load i64, ptr %78, align 8, !tbaa !18
  %80 = icmp eq i64 %79, %65
  br i1 %80, label %81, label %98

81:                                               ; preds = %77, %72
  %82 = mul nsw i64 %68, %65
  %83 = icmp samesign ult i64 %64, 2
  br i1 %83, label %84, label %63, !llvm.loop !30

84:                                               ; preds = %81, %55
  %85 = load ptr, ptr %28, align 8, !tbaa !31
  %86 = ptrtoint ptr %85 to i64
  %87 = getelementptr inbounds nuw i8, ptr %28, i64 40
  %88 = load i64, ptr %87, align 8, !tbaa !32
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
  br i1 %97, label %110, label %14, !llvm.loop !33

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
  %108 = load i64, ptr %107, align 8, !tbaa !18
  %109 = icmp sgt i64 %108, -1
  br i1 %109, label %9, label %110, !llvm.loop !34

110:                                              ; preds = %102, %105, %94, %3
  %111 = phi i32 [ 0, %3 ], [ 1, %94 ], [ 0, %105 ], [ 1, %102 ]
  ret i32 %111
}

; Function Attrs: nounwind uwtable
define i32 @__tvm_ffi_tvmfuse_call(ptr noundef readnone captures(none) %0, ptr noundef %1, i32 noundef %2, ptr noundef %3) local_unnamed_addr #1 {
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
  %21 = load ptr, ptr %20, align 8, !tbaa !11
  %22 = tail call i32 %21(ptr noundef %18, ptr noundef nonnull %19, i32 noundef %16, ptr noundef %3) #25
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %24, label %44

24:                                               ; preds = %15
  %25 = load i32, ptr %3, align 8, !tbaa !20
  %26 = icmp eq i32 %25, 71
  br i1 %26, label %27, label %44

27:                                               ; preds = %24
  %28 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %29 = load ptr, ptr %28, align 8, !tbaa !10
  %30 = getelementptr inbounds nuw i8, ptr %29, i64 32
  %31 = load i64, ptr %30, align 8, !tbaa !35
  %32 = icmp eq i64 %31, 1
  br i1 %32, label %33, label %44

33:                                               ; preds = %27
  %34 = getelementptr inbounds nuw i8, ptr %29, i64 24
  %35 = load ptr, ptr %34, align 8, !tbaa !37
  %36 = load i32, ptr %35, align 8, !tbaa !20
  %37 = icmp eq i32 %36, 70
  br i1 %37, label %38, label %44

38:                                               ; preds = %33
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, ptr noundef nonnull align 8 dereferenceable(16) %35, i64 16, i1 false), !tbaa.struct !38
  %39 = load ptr, ptr @retain, align 8, !tbaa !11
  %40 = load ptr, ptr %28, align 8, !tbaa !10
  %41 = tail call i32 %39(ptr noundef %40) #25
  %42 = load ptr, ptr @release, align 8, !tbaa !11
  %43 = tail call i32 %42(ptr noundef nonnull %29) #25
  br label %44

44:                                               ; preds = %38, %33, %27, %24, %15, %10
  %45 = phi i32 [ 0, %10 ], [ %22, %15 ], [ 0, %24 ], [ 0, %27 ], [ 0, %33 ], [ 0, %38 ]
  ret i32 %45
}

; Function Attrs: mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_quick_call(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #8 {
  %5 = tail call noalias dereferenceable_or_null(32) ptr @malloc(i64 noundef 32) #26
  %6 = icmp eq ptr %5, null
  br i1 %6, label %12, label %7

7:                                                ; preds = %4
  store ptr @.str, ptr %5, align 8, !tbaa !13
  %8 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store ptr @quick_call, ptr %8, align 8, !tbaa !11
  %9 = getelementptr inbounds nuw i8, ptr %5, i64 16
  store i32 8, ptr %9, align 8, !tbaa !6
  %10 = getelementptr inbounds nuw i8, ptr %5, i64 20
  store i32 0, ptr %10, align 4
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store ptr null, ptr %11, align 8, !tbaa !13
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
define internal ptr @quick_call(ptr noundef %0, ptr noundef %1) #1 {
  %3 = alloca %struct.Any, align 8
  %4 = alloca %struct.Tensor, align 8
  %5 = alloca %struct.Tensor, align 8
  %6 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 64), align 8, !tbaa !39
  %7 = tail call ptr %6(ptr noundef %0) #25
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %9 = load i64, ptr %8, align 8, !tbaa !41
  %10 = add nsw i64 %9, 1
  %11 = alloca ptr, i64 %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %7, i64 48
  %13 = load i64, ptr %12, align 8, !tbaa !43
  %14 = add nsw i64 %13, 1
  %15 = alloca ptr, i64 %14, align 8
  %16 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !44
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #25
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
  %28 = load ptr, ptr %19, align 8, !tbaa !45
  %29 = getelementptr inbounds nuw %struct.Input, ptr %28, i64 %27
  %30 = load i64, ptr %29, align 8, !tbaa !46
  %31 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !48
  %32 = call ptr %31(ptr noundef %1, i64 noundef %30) #25
  %33 = icmp eq ptr %32, null
  br i1 %33, label %42, label %34

34:                                               ; preds = %26
  %35 = load ptr, ptr @python, align 8, !tbaa !49
  %36 = call i32 %35(ptr noundef nonnull %32, ptr noundef nonnull %5) #25
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %38, label %42

38:                                               ; preds = %34
  %39 = load ptr, ptr %5, align 8, !tbaa !31
  %40 = load i64, ptr %20, align 8, !tbaa !32
  %41 = getelementptr inbounds nuw i8, ptr %39, i64 %40
  br label %44

42:                                               ; preds = %34, %26
  %43 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 88), align 8, !tbaa !50
  call void %43() #25
  br label %44

44:                                               ; preds = %38, %42
  %45 = phi ptr [ null, %42 ], [ %41, %38 ]
  %46 = getelementptr inbounds nuw ptr, ptr %11, i64 %27
  store ptr %45, ptr %46, align 8, !tbaa !13
  %47 = icmp ne ptr %45, null
  %48 = ptrtoint ptr %45 to i64
  %49 = and i64 %48, 63
  %50 = icmp eq i64 %49, 0
  %51 = and i1 %47, %50
  %52 = load i32, ptr %21, align 8
  %53 = icmp eq i32 %52, 1
  %54 = select i1 %51, i1 %53, i1 false
  br i1 %54, label %55, label %289

55:                                               ; preds = %44
  %56 = load i32, ptr %22, align 4, !tbaa !26
  %57 = getelementptr inbounds nuw i8, ptr %29, i64 28
  %58 = load i32, ptr %57, align 4, !tbaa !26
  %59 = icmp eq i32 %56, %58
  br i1 %59, label %60, label %289

60:                                               ; preds = %55
  %61 = load i32, ptr %23, align 8, !tbaa !27
  %62 = getelementptr inbounds nuw i8, ptr %29, i64 24
  %63 = load i32, ptr %62, align 8, !tbaa !27
  %64 = icmp eq i32 %61, %63
  br i1 %64, label %65, label %289

65:                                               ; preds = %60
  %66 = icmp sgt i32 %61, 0
  br i1 %66, label %67, label %95

67:                                               ; preds = %65
  %68 = getelementptr inbounds nuw i8, ptr %29, i64 32
  %69 = load ptr, ptr %68, align 8, !tbaa !28
  %70 = load ptr, ptr %25, align 8, !tbaa !28
  %71 = getelementptr inbounds nuw i8, ptr %29, i64 40
  %72 = zext nneg i32 %61 to i64
  %73 = load ptr, ptr %24, align 8
  %74 = icmp eq ptr %73, null
  br label %75

75:                                               ; preds = %92, %67
  %76 = phi i64 [ 0, %67 ], [ %93, %92 ]
  %77 = getelementptr inbounds nuw i64, ptr %69, i64 %76
  %78 = load i64, ptr %77, align 8, !tbaa !18
  %79 = getelementptr inbounds nuw i64, ptr %70, i64 %76
  %80 = load i64, ptr %79, align 8, !tbaa !18
  %81 = icmp eq i64 %80, %78
  br i1 %81, label %82, label %289

82:                                               ; preds = %75
  %83 = icmp eq i64 %78, 1
  br i1 %83, label %92, label %84

84:                                               ; preds = %82
  br i1 %74, label %289, label %85

85:                                               ; preds = %84
  %86 = getelementptr inbounds nuw i64, ptr %73, i64 %76
  %87 = load i64, ptr %86, align 8, !tbaa !18
  %88 = load ptr, ptr %71, align 8, !tbaa !29
  %89 = getelementptr inbounds nuw i64, ptr %88, i64 %76
  %90 = load i64, ptr %89, align 8, !tbaa !18
  %91 = icmp eq i64 %87, %90
  br i1 %91, label %92, label %289

92:                                               ; preds = %85, %82
  %93 = add nuw nsw i64 %76, 1
  %94 = icmp eq i64 %93, %72
  br i1 %94, label %95, label %75, !llvm.loop !51

95:                                               ; preds = %92, %65
  %96 = add nuw nsw i64 %27, 1
  %97 = load i64, ptr %8, align 8, !tbaa !41
  %98 = icmp slt i64 %96, %97
  br i1 %98, label %26, label %99, !llvm.loop !52

99:                                               ; preds = %95, %2
  %100 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %101 = load i64, ptr %100, align 8, !tbaa !53
  %102 = icmp sgt i64 %101, 0
  br i1 %102, label %103, label %153

103:                                              ; preds = %99
  %104 = getelementptr inbounds nuw i8, ptr %7, i64 72
  %105 = getelementptr inbounds nuw i8, ptr %4, i64 40
  br label %106

106:                                              ; preds = %148, %103
  %107 = phi i64 [ 0, %103 ], [ %149, %148 ]
  %108 = load ptr, ptr %104, align 8, !tbaa !54
  %109 = getelementptr inbounds nuw %struct.Weight, ptr %108, i64 %107
  %110 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !48
  %111 = load i64, ptr %109, align 8, !tbaa !55
  %112 = call ptr %110(ptr noundef %1, i64 noundef %111) #25
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #25
  %113 = icmp eq ptr %112, null
  br i1 %113, label %124, label %114

114:                                              ; preds = %106
  %115 = getelementptr inbounds nuw i8, ptr %109, i64 8
  %116 = load ptr, ptr %115, align 8, !tbaa !57
  %117 = icmp eq ptr %112, %116
  br i1 %117, label %118, label %124

118:                                              ; preds = %114
  %119 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !58
  %120 = call ptr %119(ptr noundef nonnull %112) #25
  %121 = getelementptr inbounds nuw i8, ptr %109, i64 24
  %122 = load ptr, ptr %121, align 8, !tbaa !59
  %123 = icmp eq ptr %120, %122
  br i1 %123, label %148, label %152

124:                                              ; preds = %114, %106
  %125 = getelementptr inbounds nuw i8, ptr %109, i64 16
  %126 = load i64, ptr %125, align 8, !tbaa !60
  %127 = icmp eq i64 %126, 0
  br i1 %127, label %128, label %152

128:                                              ; preds = %124
  %129 = load i64, ptr %109, align 8, !tbaa !55
  %130 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !48
  %131 = call ptr %130(ptr noundef %1, i64 noundef %129) #25
  %132 = icmp eq ptr %131, null
  br i1 %132, label %141, label %133

133:                                              ; preds = %128
  %134 = load ptr, ptr @python, align 8, !tbaa !49
  %135 = call i32 %134(ptr noundef nonnull %131, ptr noundef nonnull %4) #25
  %136 = icmp eq i32 %135, 0
  br i1 %136, label %137, label %141

137:                                              ; preds = %133
  %138 = load ptr, ptr %4, align 8, !tbaa !31
  %139 = load i64, ptr %105, align 8, !tbaa !32
  %140 = getelementptr inbounds nuw i8, ptr %138, i64 %139
  br label %143

141:                                              ; preds = %133, %128
  %142 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 88), align 8, !tbaa !50
  call void %142() #25
  br label %143

143:                                              ; preds = %141, %137
  %144 = phi ptr [ null, %141 ], [ %140, %137 ]
  %145 = getelementptr inbounds nuw i8, ptr %109, i64 24
  %146 = load ptr, ptr %145, align 8, !tbaa !59
  %147 = icmp eq ptr %144, %146
  br i1 %147, label %148, label %152

148:                                              ; preds = %143, %118
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #25
  %149 = add nuw nsw i64 %107, 1
  %150 = load i64, ptr %100, align 8, !tbaa !53
  %151 = icmp slt i64 %149, %150
  br i1 %151, label %106, label %153, !llvm.loop !61

152:                                              ; preds = %118, %124, %143
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #25
  br label %289

153:                                              ; preds = %148, %99
  %154 = load i64, ptr %12, align 8, !tbaa !43
  %155 = icmp sgt i64 %154, 0
  br i1 %155, label %156, label %179

156:                                              ; preds = %153
  %157 = getelementptr inbounds nuw i8, ptr %7, i64 80
  br label %158

158:                                              ; preds = %168, %156
  %159 = phi i64 [ 0, %156 ], [ %169, %168 ]
  %160 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 56), align 8, !tbaa !62
  %161 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 16), align 8, !tbaa !63
  %162 = load ptr, ptr %157, align 8, !tbaa !64
  %163 = getelementptr inbounds nuw %struct.Result, ptr %162, i64 %159
  %164 = load ptr, ptr %163, align 8, !tbaa !65
  %165 = call ptr %160(ptr noundef %161, ptr noundef %164) #25
  %166 = getelementptr inbounds nuw ptr, ptr %15, i64 %159
  store ptr %165, ptr %166, align 8, !tbaa !11
  %167 = icmp eq ptr %165, null
  br i1 %167, label %172, label %168

168:                                              ; preds = %158
  %169 = add nuw nsw i64 %159, 1
  %170 = load i64, ptr %12, align 8, !tbaa !43
  %171 = icmp slt i64 %169, %170
  br i1 %171, label %158, label %175, !llvm.loop !67

172:                                              ; preds = %158
  %173 = load i64, ptr %12, align 8, !tbaa !43
  %174 = icmp slt i64 %159, %173
  br i1 %174, label %278, label %175

175:                                              ; preds = %168, %172
  %176 = phi i64 [ %159, %172 ], [ %170, %168 ]
  %177 = phi i64 [ %173, %172 ], [ %170, %168 ]
  %178 = icmp sgt i64 %177, 0
  br i1 %178, label %186, label %179

179:                                              ; preds = %197, %153, %175
  %180 = phi i64 [ %176, %175 ], [ %154, %153 ], [ %176, %197 ]
  %181 = load i64, ptr %8, align 8, !tbaa !41
  %182 = icmp sgt i64 %181, 0
  br i1 %182, label %183, label %214

183:                                              ; preds = %179
  %184 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %185 = load ptr, ptr %184, align 8, !tbaa !45
  br label %205

186:                                              ; preds = %175, %197
  %187 = phi i64 [ %202, %197 ], [ 0, %175 ]
  %188 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !58
  %189 = getelementptr inbounds nuw ptr, ptr %15, i64 %187
  %190 = load ptr, ptr %189, align 8, !tbaa !11
  %191 = call ptr %188(ptr noundef %190) #25
  %192 = icmp eq ptr %191, null
  %193 = ptrtoint ptr %191 to i64
  %194 = and i64 %193, 63
  %195 = icmp ne i64 %194, 0
  %196 = or i1 %192, %195
  br i1 %196, label %275, label %197

197:                                              ; preds = %186
  %198 = load ptr, ptr %157, align 8, !tbaa !64
  %199 = getelementptr inbounds nuw %struct.Result, ptr %198, i64 %187
  %200 = getelementptr inbounds nuw i8, ptr %199, i64 8
  %201 = load ptr, ptr %200, align 8, !tbaa !68
  store ptr %191, ptr %201, align 8, !tbaa !31
  %202 = add nuw nsw i64 %187, 1
  %203 = load i64, ptr %12, align 8, !tbaa !43
  %204 = icmp slt i64 %202, %203
  br i1 %204, label %186, label %179, !llvm.loop !69

205:                                              ; preds = %205, %183
  %206 = phi i64 [ 0, %183 ], [ %212, %205 ]
  %207 = getelementptr inbounds nuw ptr, ptr %11, i64 %206
  %208 = load ptr, ptr %207, align 8, !tbaa !13
  %209 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %206
  %210 = getelementptr inbounds nuw i8, ptr %209, i64 56
  %211 = load ptr, ptr %210, align 8, !tbaa !70
  store ptr %208, ptr %211, align 8, !tbaa !31
  %212 = add nuw nsw i64 %206, 1
  %213 = icmp eq i64 %212, %181
  br i1 %213, label %214, label %205, !llvm.loop !71

214:                                              ; preds = %205, %179
  %215 = load i32, ptr @chosen, align 4, !tbaa !6
  %216 = call ptr @pthread_getspecific(i32 noundef %215) #25
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #25
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, i8 0, i64 16, i1 false)
  %217 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %218 = load ptr, ptr %217, align 8, !tbaa !72
  %219 = load i32, ptr @chosen, align 4, !tbaa !6
  %220 = call i32 @pthread_setspecific(i32 noundef %219, ptr noundef %218) #25
  %221 = load ptr, ptr %7, align 8, !tbaa !73
  %222 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %223 = load ptr, ptr %222, align 8, !tbaa !74
  %224 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %225 = load i64, ptr %224, align 8, !tbaa !75
  %226 = trunc i64 %225 to i32
  %227 = getelementptr inbounds nuw i8, ptr %221, i64 24
  %228 = load ptr, ptr %227, align 8, !tbaa !11
  %229 = call i32 %228(ptr noundef %221, ptr noundef %223, i32 noundef %226, ptr noundef nonnull %3) #25
  %230 = load i32, ptr @chosen, align 4, !tbaa !6
  %231 = call i32 @pthread_setspecific(i32 noundef %230, ptr noundef %216) #25
  %232 = icmp eq i32 %229, 0
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #25
  br i1 %232, label %233, label %275

233:                                              ; preds = %214
  %234 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 40), align 8, !tbaa !76
  %235 = getelementptr inbounds nuw i8, ptr %7, i64 56
  %236 = load i64, ptr %235, align 8, !tbaa !77
  %237 = call ptr %234(i64 noundef %236) #25
  %238 = icmp eq ptr %237, null
  br i1 %238, label %278, label %239

239:                                              ; preds = %233
  %240 = getelementptr inbounds nuw i8, ptr %7, i64 88
  %241 = load i64, ptr %235, align 8, !tbaa !77
  %242 = icmp sgt i64 %241, 0
  br i1 %242, label %247, label %278

243:                                              ; preds = %269
  %244 = add nuw nsw i64 %248, 1
  %245 = load i64, ptr %235, align 8, !tbaa !77
  %246 = icmp slt i64 %244, %245
  br i1 %246, label %247, label %278

247:                                              ; preds = %239, %243
  %248 = phi i64 [ %244, %243 ], [ 0, %239 ]
  %249 = load ptr, ptr %240, align 8, !tbaa !78
  %250 = getelementptr inbounds nuw i64, ptr %249, i64 %248
  %251 = load i64, ptr %250, align 8, !tbaa !18
  %252 = load i64, ptr %12, align 8, !tbaa !43
  %253 = sub nsw i64 %251, %252
  %254 = icmp slt i64 %251, 0
  br i1 %254, label %255, label %257

255:                                              ; preds = %247
  %256 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !44
  br label %265

257:                                              ; preds = %247
  %258 = icmp slt i64 %253, 0
  br i1 %258, label %259, label %262

259:                                              ; preds = %257
  %260 = getelementptr inbounds nuw ptr, ptr %15, i64 %251
  %261 = load ptr, ptr %260, align 8, !tbaa !11
  br label %265

262:                                              ; preds = %257
  %263 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !48
  %264 = call ptr %263(ptr noundef %1, i64 noundef %253) #25
  br label %265

265:                                              ; preds = %262, %259, %255
  %266 = phi ptr [ %256, %255 ], [ %261, %259 ], [ %264, %262 ]
  %267 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !79
  call void %267(ptr noundef %266) #25
  %268 = icmp eq ptr %266, null
  br i1 %268, label %273, label %269

269:                                              ; preds = %265
  %270 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 48), align 8, !tbaa !80
  %271 = call i32 %270(ptr noundef nonnull %237, i64 noundef %248, ptr noundef nonnull %266) #25
  %272 = icmp eq i32 %271, 0
  br i1 %272, label %243, label %273

273:                                              ; preds = %269, %265
  %274 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 80), align 8, !tbaa !81
  call void %274(ptr noundef nonnull %237) #25
  br label %278

275:                                              ; preds = %186, %214
  %276 = phi i64 [ %180, %214 ], [ %176, %186 ]
  %277 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !79
  call void %277(ptr noundef %16) #25
  br label %278

278:                                              ; preds = %243, %239, %273, %233, %172, %275
  %279 = phi i64 [ %276, %275 ], [ %159, %172 ], [ %180, %273 ], [ %180, %233 ], [ %180, %239 ], [ %180, %243 ]
  %280 = phi ptr [ %16, %275 ], [ null, %172 ], [ null, %273 ], [ null, %233 ], [ %237, %239 ], [ %237, %243 ]
  %281 = icmp eq i64 %279, 0
  br i1 %281, label %291, label %282

282:                                              ; preds = %278, %282
  %283 = phi i64 [ %285, %282 ], [ %279, %278 ]
  %284 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 80), align 8, !tbaa !81
  %285 = add nsw i64 %283, -1
  %286 = getelementptr inbounds ptr, ptr %15, i64 %285
  %287 = load ptr, ptr %286, align 8, !tbaa !11
  call void %284(ptr noundef %287) #25
  %288 = icmp eq i64 %285, 0
  br i1 %288, label %291, label %282, !llvm.loop !82

289:                                              ; preds = %60, %55, %44, %75, %84, %85, %152
  %290 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !79
  call void %290(ptr noundef %16) #25
  br label %291

291:                                              ; preds = %282, %278, %289
  %292 = phi ptr [ %16, %289 ], [ %280, %278 ], [ %280, %282 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #25
  ret ptr %292
}

; Function Attrs: mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_watched_memory(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #8 {
  %5 = tail call noalias dereferenceable_or_null(32) ptr @malloc(i64 noundef 32) #26
  %6 = icmp eq ptr %5, null
  br i1 %6, label %12, label %7

7:                                                ; preds = %4
  store ptr @.str.1, ptr %5, align 8, !tbaa !13
  %8 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store ptr @watched_memory, ptr %8, align 8, !tbaa !11
  %9 = getelementptr inbounds nuw i8, ptr %5, i64 16
  store i32 8, ptr %9, align 8, !tbaa !6
  %10 = getelementptr inbounds nuw i8, ptr %5, i64 20
  store i32 0, ptr %10, align 4
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store ptr null, ptr %11, align 8, !tbaa !13
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
define internal noundef ptr @watched_memory(ptr noundef %0, ptr noundef %1) #1 {
  %3 = alloca [32 x <4 x i64>], align 16
  %4 = alloca [32 x <4 x i64>], align 16
  %5 = alloca [32 x <4 x i64>], align 16
  %6 = alloca [32 x <4 x i64>], align 16
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 64), align 8, !tbaa !39
  %8 = tail call ptr %7(ptr noundef %0) #25
  %9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !44
  %10 = icmp eq ptr %1, %9
  br i1 %10, label %11, label %95

11:                                               ; preds = %2
  %12 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %13 = load ptr, ptr %12, align 8, !tbaa !83
  %14 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %15 = load i64, ptr %14, align 8, !tbaa !85
  %16 = shl i64 %15, 5
  tail call void @llvm.memset.p0.i64(ptr align 16 %13, i8 0, i64 %16, i1 false)
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
  %45 = load <4 x i64>, ptr %44, align 16
  %46 = sub nsw i64 %40, %42
  %47 = icmp sgt i64 %46, 1023
  %48 = load ptr, ptr %31, align 8, !tbaa !91, !noalias !92
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 %42
  br i1 %47, label %50, label %68

50:                                               ; preds = %39
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #25, !noalias !95
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(1024) %6, ptr noundef nonnull readonly align 1 dereferenceable(1024) %49, i64 1024, i1 false), !noalias !95
  %51 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %45, <4 x i64> %45, <4 x i64> splat (i64 27))
  br label %52

52:                                               ; preds = %52, %50
  %53 = phi i64 [ 0, %50 ], [ %65, %52 ]
  %54 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %50 ], [ %64, %52 ]
  %55 = phi <4 x i64> [ %51, %50 ], [ %63, %52 ]
  %56 = getelementptr inbounds nuw <4 x i64>, ptr %6, i64 %53
  %57 = load <4 x i64>, ptr %56, align 16, !tbaa !10, !noalias !95
  %58 = xor <4 x i64> %57, %54
  %59 = and <4 x i64> %58, splat (i64 4294967295)
  %60 = lshr <4 x i64> %58, splat (i64 32)
  %61 = mul nuw <4 x i64> %59, %60
  %62 = add <4 x i64> %58, %55
  %63 = add <4 x i64> %62, %61
  %64 = add <4 x i64> %54, splat (i64 -1028001813962170200)
  %65 = add nuw nsw i64 %53, 1
  %66 = icmp eq i64 %65, 32
  br i1 %66, label %67, label %52, !llvm.loop !98

67:                                               ; preds = %52
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #25, !noalias !95
  br label %86

68:                                               ; preds = %39
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #25, !noalias !99
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(1024) %5, i8 0, i64 1024, i1 false), !noalias !99
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %5, ptr readonly align 1 %49, i64 range(i64 -9223372036854775808, 1025) %46, i1 false), !noalias !99
  %69 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %45, <4 x i64> %45, <4 x i64> splat (i64 27))
  br label %70

70:                                               ; preds = %70, %68
  %71 = phi i64 [ 0, %68 ], [ %83, %70 ]
  %72 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %68 ], [ %82, %70 ]
  %73 = phi <4 x i64> [ %69, %68 ], [ %81, %70 ]
  %74 = getelementptr inbounds nuw <4 x i64>, ptr %5, i64 %71
  %75 = load <4 x i64>, ptr %74, align 16, !tbaa !10, !noalias !99
  %76 = xor <4 x i64> %75, %72
  %77 = and <4 x i64> %76, splat (i64 4294967295)
  %78 = lshr <4 x i64> %76, splat (i64 32)
  %79 = mul nuw <4 x i64> %77, %78
  %80 = add <4 x i64> %76, %73
  %81 = add <4 x i64> %80, %79
  %82 = add <4 x i64> %72, splat (i64 -1028001813962170200)
  %83 = add nuw nsw i64 %71, 1
  %84 = icmp eq i64 %83, 32
  br i1 %84, label %85, label %70, !llvm.loop !98

85:                                               ; preds = %70
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #25, !noalias !99
  br label %86

86:                                               ; preds = %85, %67
  %87 = phi <4 x i64> [ %81, %85 ], [ %63, %67 ]
  store <4 x i64> %87, ptr %44, align 16
  %88 = add nsw i64 %41, 1
  %89 = load i64, ptr %14, align 8, !tbaa !85
  %90 = icmp eq i64 %88, %89
  %91 = select i1 %90, i64 0, i64 %88
  %92 = add nuw nsw i64 %42, 1024
  %93 = load i64, ptr %27, align 8, !tbaa !88
  %94 = icmp slt i64 %92, %93
  br i1 %94, label %39, label %32, !llvm.loop !102

95:                                               ; preds = %2
  %96 = load i64, ptr %8, align 8, !tbaa !86
  %97 = icmp sgt i64 %96, 0
  br i1 %97, label %103, label %98

98:                                               ; preds = %95
  %99 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %100 = load i64, ptr %99, align 8, !tbaa !103
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
  br i1 %109, label %110, label %122, !llvm.loop !104

110:                                              ; preds = %106, %103
  %111 = phi ptr [ %105, %103 ], [ %117, %106 ]
  %112 = phi i64 [ 0, %103 ], [ %107, %106 ]
  %113 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !58
  %114 = getelementptr inbounds nuw %struct.Region, ptr %111, i64 %112
  %115 = load ptr, ptr %114, align 8, !tbaa !105
  %116 = tail call ptr %113(ptr noundef %115) #25
  %117 = load ptr, ptr %104, align 8, !tbaa !87
  %118 = getelementptr inbounds nuw %struct.Region, ptr %117, i64 %112
  %119 = getelementptr inbounds nuw i8, ptr %118, i64 8
  %120 = load ptr, ptr %119, align 8, !tbaa !91
  %121 = icmp eq ptr %116, %120
  br i1 %121, label %106, label %218

122:                                              ; preds = %106
  %123 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %124 = load i64, ptr %123, align 8, !tbaa !103
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
  %141 = load ptr, ptr %140, align 8, !tbaa !91, !noalias !106
  br label %142

142:                                              ; preds = %184, %139
  %143 = phi i64 [ %132, %139 ], [ %186, %184 ]
  %144 = phi <4 x i64> [ %134, %139 ], [ %185, %184 ]
  %145 = sub nsw i64 %137, %143
  %146 = icmp sgt i64 %145, 1023
  %147 = getelementptr inbounds i8, ptr %141, i64 %143
  br i1 %146, label %148, label %166

148:                                              ; preds = %142
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #25, !noalias !109
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(1024) %4, ptr noundef nonnull readonly align 1 dereferenceable(1024) %147, i64 1024, i1 false), !noalias !109
  %149 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %144, <4 x i64> %144, <4 x i64> splat (i64 27))
  br label %150

150:                                              ; preds = %150, %148
  %151 = phi i64 [ 0, %148 ], [ %163, %150 ]
  %152 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %148 ], [ %162, %150 ]
  %153 = phi <4 x i64> [ %149, %148 ], [ %161, %150 ]
  %154 = getelementptr inbounds nuw <4 x i64>, ptr %4, i64 %151
  %155 = load <4 x i64>, ptr %154, align 16, !tbaa !10, !noalias !109
  %156 = xor <4 x i64> %155, %152
  %157 = and <4 x i64> %156, splat (i64 4294967295)
  %158 = lshr <4 x i64> %156, splat (i64 32)
  %159 = mul nuw <4 x i64> %157, %158
  %160 = add <4 x i64> %156, %153
  %161 = add <4 x i64> %160, %159
  %162 = add <4 x i64> %152, splat (i64 -1028001813962170200)
  %163 = add nuw nsw i64 %151, 1
  %164 = icmp eq i64 %163, 32
  br i1 %164, label %165, label %150, !llvm.loop !98

165:                                              ; preds = %150
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #25, !noalias !109
  br label %184

166:                                              ; preds = %142
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #25, !noalias !112
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(1024) %3, i8 0, i64 1024, i1 false), !noalias !112
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %3, ptr readonly align 1 %147, i64 range(i64 -9223372036854775808, 1025) %145, i1 false), !noalias !112
  %167 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %144, <4 x i64> %144, <4 x i64> splat (i64 27))
  br label %168

168:                                              ; preds = %168, %166
  %169 = phi i64 [ 0, %166 ], [ %181, %168 ]
  %170 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %166 ], [ %180, %168 ]
  %171 = phi <4 x i64> [ %167, %166 ], [ %179, %168 ]
  %172 = getelementptr inbounds nuw <4 x i64>, ptr %3, i64 %169
  %173 = load <4 x i64>, ptr %172, align 16, !tbaa !10, !noalias !112
  %174 = xor <4 x i64> %173, %170
  %175 = and <4 x i64> %174, splat (i64 4294967295)
  %176 = lshr <4 x i64> %174, splat (i64 32)
  %177 = mul nuw <4 x i64> %175, %176
  %178 = add <4 x i64> %174, %171
  %179 = add <4 x i64> %178, %177
  %180 = add <4 x i64> %170, splat (i64 -1028001813962170200)
  %181 = add nuw nsw i64 %169, 1
  %182 = icmp eq i64 %181, 32
  br i1 %182, label %183, label %168, !llvm.loop !98

183:                                              ; preds = %168
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #25, !noalias !112
  br label %184

184:                                              ; preds = %183, %165
  %185 = phi <4 x i64> [ %179, %183 ], [ %161, %165 ]
  %186 = add nsw i64 %143, %127
  %187 = icmp slt i64 %186, %137
  br i1 %187, label %142, label %188, !llvm.loop !115

188:                                              ; preds = %184, %131
  %189 = phi <4 x i64> [ %134, %131 ], [ %185, %184 ]
  %190 = phi i64 [ %132, %131 ], [ %186, %184 ]
  %191 = add nsw i64 %137, 1023
  %192 = sdiv i64 %191, -1024
  %193 = shl nsw i64 %192, 10
  %194 = add i64 %190, %193
  %195 = add nuw nsw i64 %133, 1
  %196 = icmp eq i64 %195, %108
  br i1 %196, label %197, label %131, !llvm.loop !116

197:                                              ; preds = %188, %98, %122
  %198 = phi i64 [ %126, %122 ], [ %102, %98 ], [ %126, %188 ]
  %199 = phi i64 [ %124, %122 ], [ %100, %98 ], [ %124, %188 ]
  %200 = phi ptr [ %123, %122 ], [ %99, %98 ], [ %123, %188 ]
  %201 = phi <4 x i64> [ zeroinitializer, %122 ], [ zeroinitializer, %98 ], [ %189, %188 ]
  %202 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %203 = load ptr, ptr %202, align 8, !tbaa !83
  %204 = getelementptr inbounds <4 x i64>, ptr %203, i64 %199
  %205 = load <4 x i64>, ptr %204, align 16
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
  %219 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !44
  br label %220

220:                                              ; preds = %34, %11, %197, %218
  %221 = phi ptr [ %219, %218 ], [ %1, %197 ], [ %1, %11 ], [ %1, %34 ]
  %222 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !79
  tail call void %222(ptr noundef %221) #25
  ret ptr %221
}

; Function Attrs: nounwind uwtable
define i32 @__tvm_ffi_tvmfuse_tensor(ptr noundef readnone captures(none) %0, ptr noundef %1, i32 noundef %2, ptr noundef %3) local_unnamed_addr #1 {
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %6 = load ptr, ptr %5, align 8, !tbaa !10
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %8 = add nsw i32 %2, -2
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %10 = load ptr, ptr %9, align 8, !tbaa !11
  %11 = tail call i32 %10(ptr noundef %6, ptr noundef nonnull %7, i32 noundef %8, ptr noundef %3) #25
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %13, label %75

13:                                               ; preds = %4
  %14 = load i32, ptr %3, align 8, !tbaa !20
  switch i32 %14, label %75 [
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
  br i1 %22, label %75, label %23

23:                                               ; preds = %15, %19
  %24 = phi ptr [ %18, %15 ], [ %21, %19 ]
  %25 = load ptr, ptr %24, align 8, !tbaa !31
  %26 = icmp eq ptr %25, null
  br i1 %26, label %75, label %27

27:                                               ; preds = %23
  %28 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %29 = load i64, ptr %28, align 8, !tbaa !10
  %30 = icmp eq i64 %29, 0
  br i1 %30, label %31, label %54

31:                                               ; preds = %27
  %32 = getelementptr inbounds nuw i8, ptr %24, i64 20
  %33 = load i32, ptr %32, align 4, !tbaa !26
  %34 = lshr i32 %33, 8
  %35 = and i32 %34, 255
  %36 = add nuw nsw i32 %35, 7
  %37 = lshr i32 %36, 3
  %38 = zext nneg i32 %37 to i64
  %39 = getelementptr inbounds nuw i8, ptr %24, i64 16
  %40 = load i32, ptr %39, align 8, !tbaa !27
  %41 = icmp sgt i32 %40, 0
  br i1 %41, label %42, label %54

42:                                               ; preds = %31
  %43 = getelementptr inbounds nuw i8, ptr %24, i64 24
  %44 = load ptr, ptr %43, align 8, !tbaa !28
  %45 = zext nneg i32 %40 to i64
  br label %46

46:                                               ; preds = %46, %42
  %47 = phi i64 [ 0, %42 ], [ %52, %46 ]
  %48 = phi i64 [ %38, %42 ], [ %51, %46 ]
  %49 = getelementptr inbounds nuw i64, ptr %44, i64 %47
  %50 = load i64, ptr %49, align 8, !tbaa !18
  %51 = mul nsw i64 %50, %48
  %52 = add nuw nsw i64 %47, 1
  %53 = icmp eq i64 %52, %45
  br i1 %53, label %54, label %46, !llvm.loop !117

54:                                               ; preds = %46, %31, %27
  %55 = phi i64 [ %29, %27 ], [ %38, %31 ], [ %51, %46 ]
  %56 = getelementptr inbounds nuw i8, ptr %24, i64 40
  %57 = load i64, ptr %56, align 8, !tbaa !32
  %58 = getelementptr inbounds nuw i8, ptr %25, i64 %57
  %59 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %60 = load i64, ptr %59, align 8, !tbaa !10
  %61 = sub i64 0, %60
  %62 = getelementptr inbounds i8, ptr %58, i64 %61
  %63 = ptrtoint ptr %62 to i64
  %64 = add i64 %63, 2097151
  %65 = and i64 %64, -2097152
  %66 = add i64 %55, %63
  %67 = and i64 %66, -2097152
  %68 = icmp sgt i64 %55, 4194303
  %69 = icmp ult i64 %65, %67
  %70 = and i1 %68, %69
  br i1 %70, label %71, label %75

71:                                               ; preds = %54
  %72 = inttoptr i64 %65 to ptr
  %73 = sub nuw i64 %67, %65
  %74 = tail call i32 @madvise(ptr noundef %72, i64 noundef %73, i32 noundef 14) #25
  br label %75

75:                                               ; preds = %13, %4, %71, %54, %23, %19
  ret i32 %11
}

; Function Attrs: nounwind uwtable
define range(i32 -1, 1) i32 @__tvm_ffi_tvmfuse_size_heap(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef captures(none) initializes((0, 16)) %3) local_unnamed_addr #1 {
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %6 = load i64, ptr %5, align 8, !tbaa !10
  store i32 70, ptr %3, align 8, !tbaa !6
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %7, align 4, !tbaa !6
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 0, ptr %8, align 8, !tbaa !10
  %9 = shl i64 %6, 3
  %10 = add i64 %9, 152
  %11 = tail call noalias ptr @malloc(i64 noundef %10) #26
  %12 = icmp eq ptr %11, null
  br i1 %12, label %13, label %15

13:                                               ; preds = %4
  %14 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  tail call void %14(ptr noundef nonnull @.str.6, ptr noundef nonnull @.str.7) #25
  br label %47

15:                                               ; preds = %4
  store i64 4294967297, ptr %11, align 8, !tbaa !18
  %16 = getelementptr inbounds nuw i8, ptr %11, i64 8
  store i32 70, ptr %16, align 8, !tbaa !6
  %17 = getelementptr inbounds nuw i8, ptr %11, i64 12
  store i32 0, ptr %17, align 4, !tbaa !6
  %18 = getelementptr inbounds nuw i8, ptr %11, i64 16
  store ptr @forget, ptr %18, align 8, !tbaa !11
  store ptr %11, ptr %8, align 8, !tbaa !10
  %19 = getelementptr inbounds nuw i8, ptr %11, i64 72
  store i64 %6, ptr %19, align 8, !tbaa !18
  %20 = getelementptr inbounds nuw i8, ptr %11, i64 80
  store i64 1, ptr %20, align 8, !tbaa !18
  %21 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %22 = getelementptr inbounds nuw i8, ptr %11, i64 88
  %23 = ptrtoint ptr %22 to i64
  %24 = sub i64 0, %23
  %25 = and i64 %24, 63
  %26 = getelementptr inbounds nuw i8, ptr %22, i64 %25
  store ptr %26, ptr %21, align 8, !tbaa !13
  %27 = getelementptr inbounds nuw i8, ptr %11, i64 32
  store i32 1, ptr %27, align 8, !tbaa !6
  %28 = getelementptr inbounds nuw i8, ptr %11, i64 36
  store i32 0, ptr %28, align 4, !tbaa !6
  %29 = getelementptr inbounds nuw i8, ptr %11, i64 40
  store i32 1, ptr %29, align 8, !tbaa !6
  %30 = getelementptr inbounds nuw i8, ptr %11, i64 44
  store i32 81920, ptr %30, align 4, !tbaa !6
  %31 = getelementptr inbounds nuw i8, ptr %11, i64 48
  store ptr %19, ptr %31, align 8, !tbaa !118
  %32 = getelementptr inbounds nuw i8, ptr %11, i64 56
  store ptr %20, ptr %32, align 8, !tbaa !118
  %33 = getelementptr inbounds nuw i8, ptr %11, i64 64
  store i64 0, ptr %33, align 8, !tbaa !18
  %34 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %35 = add nsw i32 %2, -1
  %36 = load i64, ptr %5, align 8, !tbaa !10
  %37 = tail call fastcc i32 @find_out(ptr noundef nonnull %34, i32 noundef %35, ptr noundef nonnull %26, i64 noundef %36)
  %38 = icmp eq i32 %37, 0
  br i1 %38, label %47, label %39

39:                                               ; preds = %15
  %40 = load ptr, ptr %8, align 8, !tbaa !10
  %41 = atomicrmw sub ptr %40, i64 1 acq_rel, align 8
  %42 = icmp eq i64 %41, 4294967297
  br i1 %42, label %43, label %46

43:                                               ; preds = %39
  %44 = getelementptr inbounds nuw i8, ptr %40, i64 16
  %45 = load ptr, ptr %44, align 8, !tbaa !119
  tail call void %45(ptr noundef %40, i32 noundef 3) #25
  br label %46

46:                                               ; preds = %39, %43
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, i8 0, i64 16, i1 false)
  br label %47

47:                                               ; preds = %13, %15, %46
  %48 = phi i32 [ -1, %46 ], [ -1, %13 ], [ 0, %15 ]
  ret i32 %48
}

; Function Attrs: nounwind uwtable
define internal fastcc i32 @find_out(ptr noundef readonly captures(none) %0, i32 noundef range(i32 -2147483648, 2147483647) %1, ptr noundef %2, i64 noundef %3) unnamed_addr #1 {
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
  %13 = load i32, ptr %12, align 8, !tbaa !20
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
  %27 = load i32, ptr %26, align 8, !tbaa !27
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds nuw i8, ptr %25, i64 32
  %30 = load i64, ptr %29, align 8, !tbaa !18
  %31 = sdiv i64 %30, 2
  %32 = icmp eq i64 %31, %28
  br i1 %32, label %33, label %60

33:                                               ; preds = %22
  %34 = icmp sgt i32 %27, 0
  br i1 %34, label %35, label %64

35:                                               ; preds = %33
  %36 = getelementptr inbounds nuw i8, ptr %23, i64 24
  %37 = load ptr, ptr %36, align 8, !tbaa !28
  %38 = getelementptr inbounds nuw i8, ptr %25, i64 24
  %39 = load ptr, ptr %38, align 8, !tbaa !118
  br label %40

40:                                               ; preds = %57, %35
  %41 = phi i64 [ 0, %35 ], [ %58, %57 ]
  %42 = getelementptr inbounds nuw i64, ptr %37, i64 %41
  %43 = load i64, ptr %42, align 8, !tbaa !18
  %44 = shl nuw nsw i64 %41, 4
  %45 = getelementptr inbounds nuw i8, ptr %39, i64 %44
  %46 = load i64, ptr %45, align 8, !tbaa !18
  %47 = getelementptr inbounds nuw i8, ptr %45, i64 8
  %48 = load i64, ptr %47, align 8, !tbaa !18
  switch i64 %46, label %57 [
    i64 1, label %49
    i64 0, label %51
    i64 3, label %53
  ]

49:                                               ; preds = %40
  %50 = getelementptr inbounds i64, ptr %2, i64 %48
  store i64 %43, ptr %50, align 8, !tbaa !18
  br label %57

51:                                               ; preds = %40
  %52 = icmp eq i64 %43, %48
  br i1 %52, label %57, label %60

53:                                               ; preds = %40
  %54 = getelementptr inbounds i64, ptr %2, i64 %48
  %55 = load i64, ptr %54, align 8, !tbaa !18
  %56 = icmp eq i64 %43, %55
  br i1 %56, label %57, label %60

57:                                               ; preds = %53, %51, %49, %40
  %58 = add nuw nsw i64 %41, 1
  %59 = icmp eq i64 %58, %28
  br i1 %59, label %64, label %40, !llvm.loop !121

60:                                               ; preds = %53, %51, %10, %22, %18
  %61 = load ptr, ptr %9, align 8, !tbaa !10
  %62 = tail call fastcc i32 @match(ptr noundef %61, ptr noundef nonnull %12, ptr noundef %2, i64 noundef %3)
  %63 = icmp eq i32 %62, 0
  br i1 %63, label %64, label %82

64:                                               ; preds = %57, %33, %60
  %65 = add nuw nsw i64 %11, 3
  %66 = trunc nuw i64 %65 to i32
  %67 = icmp sgt i32 %1, %66
  br i1 %67, label %10, label %68, !llvm.loop !122

68:                                               ; preds = %64, %4
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #25
  store i32 4, ptr %5, align 8, !tbaa !20
  %69 = getelementptr inbounds nuw i8, ptr %5, i64 4
  store i32 0, ptr %69, align 4, !tbaa !123
  %70 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store ptr %2, ptr %70, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #25
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %6, i8 0, i64 16, i1 false)
  %71 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %72 = load i32, ptr %71, align 8, !tbaa !20
  %73 = icmp eq i32 %72, 0
  br i1 %73, label %80, label %74

74:                                               ; preds = %68
  %75 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %76 = load ptr, ptr %75, align 8, !tbaa !10
  %77 = getelementptr inbounds nuw i8, ptr %76, i64 24
  %78 = load ptr, ptr %77, align 8, !tbaa !11
  %79 = call i32 %78(ptr noundef %76, ptr noundef nonnull %5, i32 noundef 1, ptr noundef nonnull %6) #25
  br label %80

80:                                               ; preds = %68, %74
  %81 = phi i32 [ %79, %74 ], [ 0, %68 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #25
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #25
  br label %82

82:                                               ; preds = %60, %80
  %83 = phi i32 [ %81, %80 ], [ -1, %60 ]
  ret i32 %83
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #9

; Function Attrs: nounwind uwtable
define i32 @__tvm_ffi_tvmfuse_fits(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #1 {
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %6 = load i32, ptr %5, align 8, !tbaa !20
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
  %17 = load ptr, ptr %16, align 8, !tbaa !31
  br label %18

18:                                               ; preds = %4, %11, %15
  %19 = phi i1 [ false, %15 ], [ true, %11 ], [ true, %4 ]
  %20 = phi ptr [ %16, %15 ], [ null, %11 ], [ null, %4 ]
  %21 = phi ptr [ %17, %15 ], [ null, %11 ], [ null, %4 ]
  %22 = getelementptr inbounds nuw i8, ptr %1, i64 32
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, i8 0, i64 16, i1 false)
  %23 = load i32, ptr %22, align 8, !tbaa !20
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
  %37 = load i32, ptr %36, align 8, !tbaa !27
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds nuw i8, ptr %35, i64 32
  %40 = load i64, ptr %39, align 8, !tbaa !18
  %41 = sdiv i64 %40, 2
  %42 = icmp eq i64 %41, %38
  br i1 %42, label %43, label %70

43:                                               ; preds = %32
  %44 = icmp sgt i32 %37, 0
  br i1 %44, label %45, label %80

45:                                               ; preds = %43
  %46 = getelementptr inbounds nuw i8, ptr %33, i64 24
  %47 = load ptr, ptr %46, align 8, !tbaa !28
  %48 = getelementptr inbounds nuw i8, ptr %35, i64 24
  %49 = load ptr, ptr %48, align 8, !tbaa !118
  br label %50

50:                                               ; preds = %67, %45
  %51 = phi i64 [ 0, %45 ], [ %68, %67 ]
  %52 = getelementptr inbounds nuw i64, ptr %47, i64 %51
  %53 = load i64, ptr %52, align 8, !tbaa !18
  %54 = shl nuw nsw i64 %51, 4
  %55 = getelementptr inbounds nuw i8, ptr %49, i64 %54
  %56 = load i64, ptr %55, align 8, !tbaa !18
  %57 = getelementptr inbounds nuw i8, ptr %55, i64 8
  %58 = load i64, ptr %57, align 8, !tbaa !18
  switch i64 %56, label %67 [
    i64 1, label %59
    i64 0, label %61
    i64 3, label %63
  ]

59:                                               ; preds = %50
  %60 = getelementptr inbounds i64, ptr %21, i64 %58
  store i64 %53, ptr %60, align 8, !tbaa !18
  br label %67

61:                                               ; preds = %50
  %62 = icmp eq i64 %53, %58
  br i1 %62, label %67, label %70

63:                                               ; preds = %50
  %64 = getelementptr inbounds i64, ptr %21, i64 %58
  %65 = load i64, ptr %64, align 8, !tbaa !18
  %66 = icmp eq i64 %53, %65
  br i1 %66, label %67, label %70

67:                                               ; preds = %63, %61, %59, %50
  %68 = add nuw nsw i64 %51, 1
  %69 = icmp eq i64 %68, %38
  br i1 %69, label %80, label %50, !llvm.loop !121

70:                                               ; preds = %63, %61, %18, %32, %28
  %71 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %72 = load ptr, ptr %71, align 8, !tbaa !10
  br i1 %19, label %77, label %73

73:                                               ; preds = %70
  %74 = getelementptr inbounds nuw i8, ptr %20, i64 24
  %75 = load ptr, ptr %74, align 8, !tbaa !28
  %76 = load i64, ptr %75, align 8, !tbaa !18
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
define internal fastcc i32 @match(ptr noundef %0, ptr noundef readonly captures(none) %1, ptr noundef captures(none) %2, i64 noundef %3) unnamed_addr #1 {
  %5 = alloca %struct.Any, align 8
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %7 = load ptr, ptr %6, align 8, !tbaa !10
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %9 = load i64, ptr %8, align 8, !tbaa !18
  %10 = trunc i64 %9 to i32
  %11 = add nsw i32 %10, 4
  %12 = zext i32 %11 to i64
  %13 = alloca %struct.Any, i64 %12, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #25
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %5, i8 0, i64 16, i1 false)
  %14 = shl i64 %3, 3
  %15 = add i64 %14, 152
  %16 = tail call noalias ptr @malloc(i64 noundef %15) #26
  %17 = icmp eq ptr %16, null
  br i1 %17, label %18, label %20

18:                                               ; preds = %4
  %19 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  tail call void %19(ptr noundef nonnull @.str.6, ptr noundef nonnull @.str.7) #25
  br label %95

20:                                               ; preds = %4
  store i64 4294967297, ptr %16, align 8, !tbaa !18
  %21 = getelementptr inbounds nuw i8, ptr %16, i64 8
  store i32 70, ptr %21, align 8, !tbaa !6
  %22 = getelementptr inbounds nuw i8, ptr %16, i64 12
  store i32 0, ptr %22, align 4, !tbaa !6
  %23 = getelementptr inbounds nuw i8, ptr %16, i64 16
  store ptr @forget, ptr %23, align 8, !tbaa !11
  %24 = ptrtoint ptr %16 to i64
  %25 = getelementptr inbounds nuw i8, ptr %16, i64 72
  store i64 %3, ptr %25, align 8, !tbaa !18
  %26 = getelementptr inbounds nuw i8, ptr %16, i64 80
  store i64 1, ptr %26, align 8, !tbaa !18
  %27 = getelementptr inbounds nuw i8, ptr %16, i64 24
  %28 = getelementptr inbounds nuw i8, ptr %16, i64 88
  %29 = ptrtoint ptr %28 to i64
  %30 = sub i64 0, %29
  %31 = and i64 %30, 63
  %32 = getelementptr inbounds nuw i8, ptr %28, i64 %31
  store ptr %32, ptr %27, align 8, !tbaa !13
  %33 = getelementptr inbounds nuw i8, ptr %16, i64 32
  store i32 1, ptr %33, align 8, !tbaa !6
  %34 = getelementptr inbounds nuw i8, ptr %16, i64 36
  store i32 0, ptr %34, align 4, !tbaa !6
  %35 = getelementptr inbounds nuw i8, ptr %16, i64 40
  store i32 1, ptr %35, align 8, !tbaa !6
  %36 = getelementptr inbounds nuw i8, ptr %16, i64 44
  store i32 81920, ptr %36, align 4, !tbaa !6
  %37 = getelementptr inbounds nuw i8, ptr %16, i64 48
  store ptr %25, ptr %37, align 8, !tbaa !118
  %38 = getelementptr inbounds nuw i8, ptr %16, i64 56
  store ptr %26, ptr %38, align 8, !tbaa !118
  %39 = getelementptr inbounds nuw i8, ptr %16, i64 64
  store i64 0, ptr %39, align 8, !tbaa !18
  %40 = icmp sgt i64 %3, 0
  br i1 %40, label %55, label %41

41:                                               ; preds = %55, %20
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %13, ptr noundef nonnull align 8 dereferenceable(16) %1, i64 16, i1 false), !tbaa.struct !38
  %42 = getelementptr inbounds nuw i8, ptr %13, i64 16
  store i32 70, ptr %42, align 8, !tbaa !6
  %43 = getelementptr inbounds nuw i8, ptr %13, i64 20
  store i32 0, ptr %43, align 4, !tbaa !6
  %44 = getelementptr inbounds nuw i8, ptr %13, i64 24
  store i64 %24, ptr %44, align 8, !tbaa !10
  %45 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %46 = sdiv i32 %10, 2
  %47 = sext i32 %46 to i64
  store i32 1, ptr %45, align 8, !tbaa !6
  %48 = getelementptr inbounds nuw i8, ptr %13, i64 36
  store i32 0, ptr %48, align 4, !tbaa !6
  %49 = getelementptr inbounds nuw i8, ptr %13, i64 40
  store i64 %47, ptr %49, align 8, !tbaa !10
  %50 = icmp sgt i32 %10, 0
  br i1 %50, label %51, label %62

51:                                               ; preds = %41
  %52 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %53 = and i64 %9, 2147483647
  %54 = load ptr, ptr %52, align 8, !tbaa !118
  br label %73

55:                                               ; preds = %20, %55
  %56 = phi i64 [ %60, %55 ], [ 0, %20 ]
  %57 = getelementptr inbounds nuw i64, ptr %2, i64 %56
  %58 = load i64, ptr %57, align 8, !tbaa !18
  %59 = getelementptr inbounds nuw i64, ptr %32, i64 %56
  store i64 %58, ptr %59, align 8, !tbaa !18
  %60 = add nuw nsw i64 %56, 1
  %61 = icmp eq i64 %60, %3
  br i1 %61, label %41, label %55, !llvm.loop !124

62:                                               ; preds = %73, %41
  %63 = shl i64 %9, 32
  %64 = add i64 %63, 12884901888
  %65 = ashr exact i64 %64, 28
  %66 = getelementptr inbounds i8, ptr %13, i64 %65
  %67 = getelementptr inbounds nuw i8, ptr %1, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %66, ptr noundef nonnull align 8 dereferenceable(16) %67, i64 16, i1 false), !tbaa.struct !38
  %68 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %69 = load ptr, ptr %68, align 8, !tbaa !11
  %70 = call i32 %69(ptr noundef %0, ptr noundef nonnull %13, i32 noundef %11, ptr noundef nonnull %5) #25
  br i1 %40, label %71, label %83

71:                                               ; preds = %62
  %72 = load ptr, ptr %27, align 8, !tbaa !31
  br label %88

73:                                               ; preds = %51, %73
  %74 = phi i64 [ 0, %51 ], [ %81, %73 ]
  %75 = getelementptr inbounds nuw %struct.Any, ptr %13, i64 %74
  %76 = getelementptr inbounds nuw i8, ptr %75, i64 48
  %77 = getelementptr inbounds nuw i64, ptr %54, i64 %74
  %78 = load i64, ptr %77, align 8, !tbaa !18
  store i32 1, ptr %76, align 8, !tbaa !6
  %79 = getelementptr inbounds nuw i8, ptr %75, i64 52
  store i32 0, ptr %79, align 4, !tbaa !6
  %80 = getelementptr inbounds nuw i8, ptr %75, i64 56
  store i64 %78, ptr %80, align 8, !tbaa !10
  %81 = add nuw nsw i64 %74, 1
  %82 = icmp eq i64 %81, %53
  br i1 %82, label %62, label %73, !llvm.loop !125

83:                                               ; preds = %88, %62
  %84 = atomicrmw sub ptr %16, i64 1 acq_rel, align 8
  %85 = icmp eq i64 %84, 4294967297
  br i1 %85, label %86, label %95

86:                                               ; preds = %83
  %87 = load ptr, ptr %23, align 8, !tbaa !119
  call void %87(ptr noundef nonnull %16, i32 noundef 3) #25
  br label %95

88:                                               ; preds = %71, %88
  %89 = phi i64 [ 0, %71 ], [ %93, %88 ]
  %90 = getelementptr inbounds nuw i64, ptr %72, i64 %89
  %91 = load i64, ptr %90, align 8, !tbaa !18
  %92 = getelementptr inbounds nuw i64, ptr %2, i64 %89
  store i64 %91, ptr %92, align 8, !tbaa !18
  %93 = add nuw nsw i64 %89, 1
  %94 = icmp eq i64 %93, %3
  br i1 %94, label %83, label %88, !llvm.loop !126

95:                                               ; preds = %86, %83, %18
  %96 = phi i32 [ -1, %18 ], [ %70, %83 ], [ %70, %86 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #25
  ret i32 %96
}

; Function Attrs: nounwind uwtable
define range(i32 -1, 1) i32 @__tvm_ffi_tvmfuse_shape(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #1 {
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %6 = load ptr, ptr %5, align 8, !tbaa !10
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %8 = load i64, ptr %7, align 8, !tbaa !18
  %9 = lshr i64 %8, 1
  store i32 69, ptr %3, align 8, !tbaa !6
  %10 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %10, align 4, !tbaa !6
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 0, ptr %11, align 8, !tbaa !10
  %12 = shl i64 %9, 3
  %13 = add i64 %12, 40
  %14 = tail call noalias ptr @malloc(i64 noundef %13) #26
  %15 = icmp eq ptr %14, null
  br i1 %15, label %16, label %18

16:                                               ; preds = %4
  %17 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  tail call void %17(ptr noundef nonnull @.str.6, ptr noundef nonnull @.str.7) #25
  br label %54

18:                                               ; preds = %4
  store i64 4294967297, ptr %14, align 8, !tbaa !18
  %19 = getelementptr inbounds nuw i8, ptr %14, i64 8
  store i32 69, ptr %19, align 8, !tbaa !6
  %20 = getelementptr inbounds nuw i8, ptr %14, i64 12
  store i32 0, ptr %20, align 4, !tbaa !6
  %21 = getelementptr inbounds nuw i8, ptr %14, i64 16
  store ptr @forget, ptr %21, align 8, !tbaa !11
  store ptr %14, ptr %11, align 8, !tbaa !10
  %22 = getelementptr inbounds nuw i8, ptr %14, i64 40
  %23 = getelementptr inbounds nuw i8, ptr %14, i64 24
  store ptr %22, ptr %23, align 8, !tbaa !118
  %24 = getelementptr inbounds nuw i8, ptr %14, i64 32
  store i64 %9, ptr %24, align 8, !tbaa !18
  %25 = load i32, ptr %1, align 8, !tbaa !20
  %26 = icmp eq i32 %25, 7
  %27 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %28 = load ptr, ptr %27, align 8, !tbaa !10
  %29 = select i1 %26, i64 0, i64 24
  %30 = getelementptr inbounds nuw i8, ptr %28, i64 %29
  %31 = load ptr, ptr %30, align 8, !tbaa !31
  %32 = load i64, ptr %7, align 8, !tbaa !18
  %33 = icmp ult i64 %32, 2
  br i1 %33, label %54, label %34

34:                                               ; preds = %18
  %35 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %36 = load ptr, ptr %35, align 8, !tbaa !118
  %37 = lshr i64 %32, 1
  br label %38

38:                                               ; preds = %49, %34
  %39 = phi i64 [ 0, %34 ], [ %52, %49 ]
  %40 = shl nuw i64 %39, 4
  %41 = getelementptr inbounds nuw i8, ptr %36, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 8
  %43 = load i64, ptr %42, align 8, !tbaa !18
  %44 = load i64, ptr %41, align 8, !tbaa !18
  %45 = icmp eq i64 %44, 0
  br i1 %45, label %49, label %46

46:                                               ; preds = %38
  %47 = getelementptr inbounds i64, ptr %31, i64 %43
  %48 = load i64, ptr %47, align 8, !tbaa !18
  br label %49

49:                                               ; preds = %46, %38
  %50 = phi i64 [ %48, %46 ], [ %43, %38 ]
  %51 = getelementptr inbounds nuw i64, ptr %22, i64 %39
  store i64 %50, ptr %51, align 8, !tbaa !18
  %52 = add nuw nsw i64 %39, 1
  %53 = icmp samesign ult i64 %52, %37
  br i1 %53, label %38, label %54, !llvm.loop !127

54:                                               ; preds = %49, %18, %16
  %55 = phi i32 [ -1, %16 ], [ 0, %18 ], [ 0, %49 ]
  ret i32 %55
}

; Function Attrs: nounwind uwtable
define i32 @__tvm_ffi_tvmfuse_sized_tensor(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef %3) local_unnamed_addr #1 {
  %5 = alloca %struct.Shape, align 8
  %6 = alloca %struct.Any, align 8
  %7 = alloca [5 x %struct.Any], align 8
  %8 = alloca [4 x %struct.Any], align 8
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 104
  %10 = load ptr, ptr %9, align 8, !tbaa !10
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 120
  %12 = load i64, ptr %11, align 8, !tbaa !10
  %13 = getelementptr inbounds nuw i8, ptr %10, i64 32
  %14 = load i64, ptr %13, align 8, !tbaa !18
  %15 = lshr i64 %14, 1
  %16 = add nuw i64 %15, 1
  %17 = alloca i64, i64 %16, align 8
  %18 = shl i64 %12, 3
  %19 = add i64 %18, 64
  %20 = alloca i8, i64 %19, align 1
  %21 = ptrtoint ptr %20 to i64
  %22 = sub i64 0, %21
  %23 = and i64 %22, 63
  %24 = getelementptr inbounds nuw i8, ptr %20, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %1, i64 128
  %26 = add nsw i32 %2, -8
  %27 = call fastcc i32 @find_out(ptr noundef nonnull %25, i32 noundef %26, ptr noundef nonnull %24, i64 noundef %12)
  %28 = icmp eq i32 %27, 0
  br i1 %28, label %29, label %140

29:                                               ; preds = %4
  %30 = load i64, ptr %13, align 8, !tbaa !18
  %31 = icmp ult i64 %30, 2
  br i1 %31, label %52, label %32

32:                                               ; preds = %29
  %33 = getelementptr inbounds nuw i8, ptr %10, i64 24
  %34 = load ptr, ptr %33, align 8, !tbaa !118
  %35 = lshr i64 %30, 1
  br label %36

36:                                               ; preds = %47, %32
  %37 = phi i64 [ 0, %32 ], [ %50, %47 ]
  %38 = shl nuw i64 %37, 4
  %39 = getelementptr inbounds nuw i8, ptr %34, i64 %38
  %40 = getelementptr inbounds nuw i8, ptr %39, i64 8
  %41 = load i64, ptr %40, align 8, !tbaa !18
  %42 = load i64, ptr %39, align 8, !tbaa !18
  %43 = icmp eq i64 %42, 0
  br i1 %43, label %47, label %44

44:                                               ; preds = %36
  %45 = getelementptr inbounds i64, ptr %24, i64 %41
  %46 = load i64, ptr %45, align 8, !tbaa !18
  br label %47

47:                                               ; preds = %44, %36
  %48 = phi i64 [ %46, %44 ], [ %41, %36 ]
  %49 = getelementptr inbounds nuw i64, ptr %17, i64 %37
  store i64 %48, ptr %49, align 8, !tbaa !18
  %50 = add nuw nsw i64 %37, 1
  %51 = icmp samesign ult i64 %50, %35
  br i1 %51, label %36, label %52, !llvm.loop !127

52:                                               ; preds = %47, %29
  %53 = phi i64 [ 0, %29 ], [ %35, %47 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #25
  store i64 4294967297, ptr %5, align 8, !tbaa !128
  %54 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store i32 69, ptr %54, align 8, !tbaa !129
  %55 = getelementptr inbounds nuw i8, ptr %5, i64 12
  store i32 0, ptr %55, align 4, !tbaa !130
  %56 = getelementptr inbounds nuw i8, ptr %5, i64 16
  store ptr null, ptr %56, align 8, !tbaa !119
  %57 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store ptr %17, ptr %57, align 8, !tbaa !118
  %58 = getelementptr inbounds nuw i8, ptr %5, i64 32
  store i64 %53, ptr %58, align 8, !tbaa !18
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #25
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %6, i8 0, i64 16, i1 false)
  %59 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %60 = load ptr, ptr %59, align 8, !tbaa !10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %7, ptr noundef nonnull align 8 dereferenceable(16) %1, i64 16, i1 false), !tbaa.struct !38
  %61 = getelementptr inbounds nuw i8, ptr %7, i64 16
  store i32 69, ptr %61, align 8, !tbaa !6
  %62 = getelementptr inbounds nuw i8, ptr %7, i64 20
  store i32 0, ptr %62, align 4, !tbaa !6
  %63 = getelementptr inbounds nuw i8, ptr %7, i64 24
  store ptr %5, ptr %63, align 8, !tbaa !10
  %64 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %65 = getelementptr inbounds nuw i8, ptr %1, i64 48
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %64, ptr noundef nonnull align 8 dereferenceable(16) %65, i64 16, i1 false), !tbaa.struct !38
  %66 = getelementptr inbounds nuw i8, ptr %7, i64 48
  %67 = getelementptr inbounds nuw i8, ptr %1, i64 64
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %66, ptr noundef nonnull align 8 dereferenceable(16) %67, i64 16, i1 false), !tbaa.struct !38
  %68 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %69 = getelementptr inbounds nuw i8, ptr %1, i64 80
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %68, ptr noundef nonnull align 8 dereferenceable(16) %69, i64 16, i1 false), !tbaa.struct !38
  %70 = getelementptr inbounds nuw i8, ptr %60, i64 24
  %71 = load ptr, ptr %70, align 8, !tbaa !11
  %72 = call i32 %71(ptr noundef %60, ptr noundef nonnull %7, i32 noundef 5, ptr noundef nonnull %6) #25
  %73 = icmp eq i32 %72, 0
  br i1 %73, label %74, label %138

74:                                               ; preds = %52
  %75 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %76 = load ptr, ptr %75, align 8, !tbaa !10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %8, ptr noundef nonnull align 8 dereferenceable(16) %6, i64 16, i1 false), !tbaa.struct !38
  %77 = getelementptr inbounds nuw i8, ptr %8, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %77, ptr noundef nonnull align 8 dereferenceable(16) @__const.__tvm_ffi_tvmfuse_sized_tensor.begin, i64 16, i1 false), !tbaa.struct !38
  %78 = getelementptr inbounds nuw i8, ptr %8, i64 32
  store i32 69, ptr %78, align 8, !tbaa !6
  %79 = getelementptr inbounds nuw i8, ptr %8, i64 36
  store i32 0, ptr %79, align 4, !tbaa !6
  %80 = getelementptr inbounds nuw i8, ptr %8, i64 40
  store ptr %5, ptr %80, align 8, !tbaa !10
  %81 = getelementptr inbounds nuw i8, ptr %8, i64 48
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %81, ptr noundef nonnull align 8 dereferenceable(16) %67, i64 16, i1 false), !tbaa.struct !38
  %82 = getelementptr inbounds nuw i8, ptr %76, i64 24
  %83 = load ptr, ptr %82, align 8, !tbaa !11
  %84 = call i32 %83(ptr noundef %76, ptr noundef nonnull %8, i32 noundef 4, ptr noundef %3) #25
  %85 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %86 = load ptr, ptr %85, align 8, !tbaa !10
  %87 = atomicrmw sub ptr %86, i64 1 acq_rel, align 8
  %88 = icmp eq i64 %87, 4294967297
  br i1 %88, label %89, label %92

89:                                               ; preds = %74
  %90 = getelementptr inbounds nuw i8, ptr %86, i64 16
  %91 = load ptr, ptr %90, align 8, !tbaa !119
  call void %91(ptr noundef %86, i32 noundef 3) #25
  br label %92

92:                                               ; preds = %74, %89
  %93 = icmp eq i32 %84, 0
  br i1 %93, label %94, label %138

94:                                               ; preds = %92
  %95 = load i32, ptr %3, align 8, !tbaa !20
  %96 = icmp eq i32 %95, 7
  %97 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %98 = load ptr, ptr %97, align 8, !tbaa !10
  %99 = select i1 %96, i64 0, i64 24
  %100 = getelementptr inbounds nuw i8, ptr %98, i64 %99
  %101 = load ptr, ptr %100, align 8, !tbaa !31
  %102 = getelementptr inbounds nuw i8, ptr %100, i64 20
  %103 = load i32, ptr %102, align 4, !tbaa !26
  %104 = lshr i32 %103, 8
  %105 = and i32 %104, 255
  %106 = add nuw nsw i32 %105, 7
  %107 = lshr i32 %106, 3
  %108 = zext nneg i32 %107 to i64
  %109 = getelementptr inbounds nuw i8, ptr %100, i64 16
  %110 = load i32, ptr %109, align 8, !tbaa !27
  %111 = icmp sgt i32 %110, 0
  br i1 %111, label %112, label %124

112:                                              ; preds = %94
  %113 = getelementptr inbounds nuw i8, ptr %100, i64 24
  %114 = load ptr, ptr %113, align 8, !tbaa !28
  %115 = zext nneg i32 %110 to i64
  br label %116

116:                                              ; preds = %116, %112
  %117 = phi i64 [ 0, %112 ], [ %122, %116 ]
  %118 = phi i64 [ %108, %112 ], [ %121, %116 ]
  %119 = getelementptr inbounds nuw i64, ptr %114, i64 %117
  %120 = load i64, ptr %119, align 8, !tbaa !18
  %121 = mul nsw i64 %120, %118
  %122 = add nuw nsw i64 %117, 1
  %123 = icmp eq i64 %122, %115
  br i1 %123, label %124, label %116, !llvm.loop !117

124:                                              ; preds = %116, %94
  %125 = phi i64 [ %108, %94 ], [ %121, %116 ]
  %126 = ptrtoint ptr %101 to i64
  %127 = add i64 %126, 2097151
  %128 = and i64 %127, -2097152
  %129 = add i64 %125, %126
  %130 = and i64 %129, -2097152
  %131 = icmp sgt i64 %125, 4194303
  %132 = icmp ult i64 %128, %130
  %133 = and i1 %131, %132
  br i1 %133, label %134, label %138

134:                                              ; preds = %124
  %135 = inttoptr i64 %128 to ptr
  %136 = sub nuw i64 %130, %128
  %137 = call i32 @madvise(ptr noundef %135, i64 noundef %136, i32 noundef 14) #25
  br label %138

138:                                              ; preds = %134, %124, %92, %52
  %139 = phi i32 [ -1, %52 ], [ %84, %92 ], [ 0, %124 ], [ 0, %134 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #25
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #25
  br label %140

140:                                              ; preds = %4, %138
  %141 = phi i32 [ %139, %138 ], [ -1, %4 ]
  ret i32 %141
}

; Function Attrs: nounwind uwtable
define range(i32 -1, 1) i32 @__tvm_ffi_tvmfuse_chooser(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #1 {
  %5 = sdiv i32 %2, 2
  %6 = sext i32 %5 to i64
  store i32 68, ptr %3, align 8, !tbaa !6
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %7, align 4, !tbaa !6
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 0, ptr %8, align 8, !tbaa !10
  %9 = shl nsw i64 %6, 4
  %10 = add nsw i64 %9, 56
  %11 = tail call noalias ptr @malloc(i64 noundef %10) #26
  %12 = icmp eq ptr %11, null
  br i1 %12, label %13, label %15

13:                                               ; preds = %4
  %14 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  tail call void %14(ptr noundef nonnull @.str.6, ptr noundef nonnull @.str.7) #25
  br label %55

15:                                               ; preds = %4
  store i64 4294967297, ptr %11, align 8, !tbaa !18
  %16 = getelementptr inbounds nuw i8, ptr %11, i64 8
  store i32 68, ptr %16, align 8, !tbaa !6
  %17 = getelementptr inbounds nuw i8, ptr %11, i64 12
  store i32 0, ptr %17, align 4, !tbaa !6
  %18 = getelementptr inbounds nuw i8, ptr %11, i64 16
  store ptr %11, ptr %8, align 8, !tbaa !10
  store ptr @forget_choices, ptr %18, align 8, !tbaa !119
  %19 = getelementptr inbounds nuw i8, ptr %11, i64 24
  store ptr @choose, ptr %19, align 8, !tbaa !11
  %20 = getelementptr inbounds nuw i8, ptr %11, i64 32
  store ptr null, ptr %20, align 8, !tbaa !11
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %22 = load ptr, ptr %21, align 8, !tbaa !10
  %23 = getelementptr inbounds nuw i8, ptr %11, i64 40
  store ptr %22, ptr %23, align 8, !tbaa !13
  %24 = getelementptr inbounds nuw i8, ptr %11, i64 48
  store i64 %6, ptr %24, align 8, !tbaa !18
  %25 = add i32 %2, 1
  %26 = icmp ult i32 %25, 3
  br i1 %26, label %30, label %27

27:                                               ; preds = %15
  %28 = getelementptr inbounds nuw i8, ptr %11, i64 56
  %29 = tail call i64 @llvm.umax.i64(i64 %6, i64 1)
  br label %34

30:                                               ; preds = %34, %15
  %31 = icmp sgt i32 %2, 0
  br i1 %31, label %32, label %55

32:                                               ; preds = %30
  %33 = zext nneg i32 %2 to i64
  br label %46

34:                                               ; preds = %27, %34
  %35 = phi i64 [ 0, %27 ], [ %44, %34 ]
  %36 = getelementptr inbounds nuw %struct.Choice, ptr %28, i64 %35
  %37 = shl i64 %35, 5
  %38 = getelementptr inbounds nuw i8, ptr %1, i64 %37
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 24
  %40 = load ptr, ptr %39, align 8, !tbaa !10
  %41 = getelementptr i8, ptr %38, i64 40
  %42 = load ptr, ptr %41, align 8, !tbaa !10
  store ptr %40, ptr %36, align 8, !tbaa !11
  %43 = getelementptr inbounds nuw i8, ptr %36, i64 8
  store ptr %42, ptr %43, align 8, !tbaa !13
  %44 = add nuw i64 %35, 1
  %45 = icmp eq i64 %44, %29
  br i1 %45, label %30, label %34, !llvm.loop !131

46:                                               ; preds = %32, %46
  %47 = phi i64 [ 0, %32 ], [ %53, %46 ]
  %48 = load ptr, ptr @retain, align 8, !tbaa !11
  %49 = getelementptr inbounds nuw %struct.Any, ptr %1, i64 %47
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 8
  %51 = load ptr, ptr %50, align 8, !tbaa !10
  %52 = tail call i32 %48(ptr noundef %51) #25
  %53 = add nuw nsw i64 %47, 1
  %54 = icmp eq i64 %53, %33
  br i1 %54, label %55, label %46, !llvm.loop !132

55:                                               ; preds = %46, %30, %13
  %56 = phi i32 [ -1, %13 ], [ 0, %30 ], [ 0, %46 ]
  ret i32 %56
}

; Function Attrs: nounwind uwtable
define internal void @forget_choices(ptr noundef captures(none) %0, i32 noundef %1) #1 {
  %3 = and i32 %1, 1
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %28, label %5

5:                                                ; preds = %2
  %6 = load ptr, ptr @release, align 8, !tbaa !11
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %8 = load ptr, ptr %7, align 8, !tbaa !13
  %9 = tail call i32 %6(ptr noundef %8) #25
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %11 = load i64, ptr %10, align 8, !tbaa !18
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %28, label %13

13:                                               ; preds = %5
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 56
  br label %15

15:                                               ; preds = %13, %15
  %16 = phi i64 [ 0, %13 ], [ %25, %15 ]
  %17 = load ptr, ptr @release, align 8, !tbaa !11
  %18 = getelementptr inbounds nuw %struct.Choice, ptr %14, i64 %16
  %19 = load ptr, ptr %18, align 8, !tbaa !133
  %20 = tail call i32 %17(ptr noundef %19) #25
  %21 = load ptr, ptr @release, align 8, !tbaa !11
  %22 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %23 = load ptr, ptr %22, align 8, !tbaa !135
  %24 = tail call i32 %21(ptr noundef %23) #25
  %25 = add nuw i64 %16, 1
  %26 = load i64, ptr %10, align 8, !tbaa !18
  %27 = icmp ult i64 %25, %26
  br i1 %27, label %15, label %28, !llvm.loop !136

28:                                               ; preds = %15, %5, %2
  %29 = and i32 %1, 2
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %32, label %31

31:                                               ; preds = %28
  tail call void @free(ptr noundef %0) #25
  br label %32

32:                                               ; preds = %28, %31
  ret void
}

; Function Attrs: nounwind uwtable
define internal i32 @choose(ptr noundef readonly captures(none) %0, ptr noundef %1, i32 noundef %2, ptr noundef %3) #1 {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %6 = load i64, ptr %5, align 8, !tbaa !18
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %65, label %8

8:                                                ; preds = %4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %10 = sext i32 %2 to i64
  br label %11

11:                                               ; preds = %8, %59
  %12 = phi i64 [ 0, %8 ], [ %60, %59 ]
  %13 = getelementptr inbounds nuw %struct.Choice, ptr %9, i64 %12
  %14 = load ptr, ptr %13, align 8, !tbaa !133
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %16 = load ptr, ptr %15, align 8, !tbaa !118
  %17 = getelementptr inbounds nuw i8, ptr %14, i64 32
  %18 = load i64, ptr %17, align 8, !tbaa !18
  %19 = shl nuw nsw i64 %18, 3
  %20 = getelementptr inbounds nuw i8, ptr %16, i64 %19
  %21 = icmp eq i64 %18, 0
  br i1 %21, label %22, label %28

22:                                               ; preds = %11
  %23 = getelementptr inbounds nuw %struct.Choice, ptr %9, i64 %12
  %24 = getelementptr inbounds nuw i8, ptr %23, i64 8
  br label %67

25:                                               ; preds = %51
  %26 = getelementptr inbounds nuw i8, ptr %29, i64 24
  %27 = icmp ult ptr %26, %20
  br i1 %27, label %28, label %62, !llvm.loop !137

28:                                               ; preds = %11, %25
  %29 = phi ptr [ %26, %25 ], [ %16, %11 ]
  %30 = load i64, ptr %29, align 8, !tbaa !18
  %31 = icmp slt i64 %30, %10
  br i1 %31, label %32, label %59

32:                                               ; preds = %28
  %33 = getelementptr inbounds %struct.Any, ptr %1, i64 %30
  %34 = load i32, ptr %33, align 8, !tbaa !20
  switch i32 %34, label %59 [
    i32 7, label %39
    i32 70, label %35
  ]

35:                                               ; preds = %32
  %36 = getelementptr inbounds nuw i8, ptr %33, i64 8
  %37 = load ptr, ptr %36, align 8, !tbaa !10
  %38 = getelementptr inbounds nuw i8, ptr %37, i64 24
  br label %43

39:                                               ; preds = %32
  %40 = getelementptr inbounds nuw i8, ptr %33, i64 8
  %41 = load ptr, ptr %40, align 8, !tbaa !10
  %42 = icmp eq ptr %41, null
  br i1 %42, label %59, label %43

43:                                               ; preds = %39, %35
  %44 = phi ptr [ %38, %35 ], [ %41, %39 ]
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 16
  %46 = load i32, ptr %45, align 8, !tbaa !27
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds nuw i8, ptr %29, i64 8
  %49 = load i64, ptr %48, align 8, !tbaa !18
  %50 = icmp slt i64 %49, %47
  br i1 %50, label %51, label %59

51:                                               ; preds = %43
  %52 = getelementptr inbounds nuw i8, ptr %44, i64 24
  %53 = load ptr, ptr %52, align 8, !tbaa !28
  %54 = getelementptr inbounds i64, ptr %53, i64 %49
  %55 = load i64, ptr %54, align 8, !tbaa !18
  %56 = getelementptr inbounds nuw i8, ptr %29, i64 16
  %57 = load i64, ptr %56, align 8, !tbaa !18
  %58 = icmp eq i64 %55, %57
  br i1 %58, label %25, label %59

59:                                               ; preds = %39, %43, %51, %28, %32
  %60 = add nuw i64 %12, 1
  %61 = icmp eq i64 %60, %6
  br i1 %61, label %65, label %11, !llvm.loop !138

62:                                               ; preds = %25
  %63 = getelementptr inbounds nuw %struct.Choice, ptr %9, i64 %12
  %64 = getelementptr inbounds nuw i8, ptr %63, i64 8
  br label %67

65:                                               ; preds = %59, %4
  %66 = getelementptr inbounds nuw i8, ptr %0, i64 40
  br label %67

67:                                               ; preds = %62, %22, %65
  %68 = phi ptr [ %64, %62 ], [ %24, %22 ], [ %66, %65 ]
  %69 = load ptr, ptr %68, align 8, !tbaa !13
  %70 = getelementptr inbounds nuw i8, ptr %69, i64 24
  %71 = load ptr, ptr %70, align 8, !tbaa !11
  %72 = tail call i32 %71(ptr noundef %69, ptr noundef %1, i32 noundef %2, ptr noundef %3) #25
  ret i32 %72
}

; Function Attrs: nofree nounwind uwtable
define internal ptr @allocate_workspace(i32 %0, i32 %1, i64 noundef %2, i32 %3, i32 %4) #10 {
  %6 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #25
  %7 = icmp eq i64 %2, 0
  %8 = select i1 %7, i64 64, i64 %2
  %9 = call i32 @posix_memalign(ptr noundef nonnull %6, i64 noundef 64, i64 noundef %8) #25
  %10 = icmp eq i32 %9, 0
  %11 = load ptr, ptr %6, align 8
  %12 = select i1 %10, ptr %11, ptr null
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #25
  ret ptr %12
}

; Function Attrs: mustprogress nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) uwtable
define internal noundef i32 @free_workspace(i32 %0, i32 %1, ptr noundef captures(none) %2) #11 {
  tail call void @free(ptr noundef %2) #25
  ret i32 0
}

; Function Attrs: nounwind uwtable
define internal range(i32 -1, 1) i32 @find_packed(ptr readnone captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2) #1 {
  %4 = alloca [4096 x i8], align 1
  %5 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %1, ptr noundef nonnull dereferenceable(27) @.str.9) #27
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %10, label %7

7:                                                ; preds = %3
  %8 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %1, ptr noundef nonnull dereferenceable(22) @.str.10) #27
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %13

10:                                               ; preds = %7, %3
  %11 = phi ptr [ @packed, %3 ], [ getelementptr inbounds nuw (i8, ptr @packed, i64 16), %7 ]
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 8
  store ptr %12, ptr %2, align 8, !tbaa !11
  br label %45

13:                                               ; preds = %7
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #25
  br label %34

14:                                               ; preds = %34
  %15 = load i8, ptr %1, align 1, !tbaa !10
  %16 = icmp ne i8 %15, 0
  %17 = icmp samesign ult i64 %36, 4094
  %18 = select i1 %16, i1 %17, i1 false
  br i1 %18, label %19, label %30

19:                                               ; preds = %14, %19
  %20 = phi i8 [ %26, %19 ], [ %15, %14 ]
  %21 = phi i64 [ %23, %19 ], [ %38, %14 ]
  %22 = phi ptr [ %25, %19 ], [ %1, %14 ]
  %23 = add nuw nsw i64 %21, 1
  %24 = getelementptr inbounds nuw i8, ptr %4, i64 %21
  store i8 %20, ptr %24, align 1, !tbaa !10
  %25 = getelementptr inbounds nuw i8, ptr %22, i64 1
  %26 = load i8, ptr %25, align 1, !tbaa !10
  %27 = icmp ne i8 %26, 0
  %28 = icmp samesign ult i64 %21, 4094
  %29 = and i1 %27, %28
  br i1 %29, label %19, label %30, !llvm.loop !17

30:                                               ; preds = %19, %14
  %31 = phi i64 [ %38, %14 ], [ %23, %19 ]
  %32 = getelementptr inbounds nuw i8, ptr %4, i64 %31
  store i8 0, ptr %32, align 1, !tbaa !10
  %33 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  call void %33(ptr noundef nonnull @.str.2, ptr noundef nonnull %4) #25
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #25
  br label %45

34:                                               ; preds = %13, %34
  %35 = phi i8 [ %41, %34 ], [ 116, %13 ]
  %36 = phi i64 [ %38, %34 ], [ 0, %13 ]
  %37 = phi ptr [ %40, %34 ], [ @.str.8, %13 ]
  %38 = add nuw nsw i64 %36, 1
  %39 = getelementptr inbounds nuw i8, ptr %4, i64 %36
  store i8 %35, ptr %39, align 1, !tbaa !10
  %40 = getelementptr inbounds nuw i8, ptr %37, i64 1
  %41 = load i8, ptr %40, align 1, !tbaa !10
  %42 = icmp ne i8 %41, 0
  %43 = icmp samesign ult i64 %36, 4094
  %44 = and i1 %42, %43
  br i1 %44, label %34, label %14, !llvm.loop !17

45:                                               ; preds = %10, %30
  %46 = phi i32 [ -1, %30 ], [ 0, %10 ]
  ret i32 %46
}

; Function Attrs: nounwind uwtable
define internal range(i32 -1, 1) i32 @find_once(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1) #1 {
  %3 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #25
  %4 = load atomic i64, ptr %0 seq_cst, align 8
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %6, label %12

6:                                                ; preds = %2
  %7 = call i32 %1(ptr noundef nonnull %3) #25
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %9, label %12

9:                                                ; preds = %6
  %10 = load ptr, ptr %3, align 8, !tbaa !11
  %11 = ptrtoint ptr %10 to i64
  store atomic i64 %11, ptr %0 seq_cst, align 8
  br label %12

12:                                               ; preds = %6, %2, %9
  %13 = phi i32 [ 0, %9 ], [ 0, %2 ], [ -1, %6 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #25
  ret i32 %13
}

; Function Attrs: nounwind uwtable
define internal i32 @call_found(ptr noundef readonly captures(none) %0, ptr noundef %1, i32 noundef %2, ptr noundef %3) #1 {
  %5 = load ptr, ptr %0, align 8, !tbaa !11
  %6 = tail call i32 %5(ptr noundef null, ptr noundef %1, i32 noundef %2, ptr noundef %3) #25
  ret i32 %6
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) uwtable
define internal void @record(ptr noundef writeonly captures(none) initializes((192, 212)) %0, ptr noundef %1, i64 noundef %2, i32 noundef %3) #3 {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 192
  store ptr %1, ptr %5, align 8, !tbaa !139
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 200
  store i64 %2, ptr %6, align 8, !tbaa !142
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 208
  store i32 %3, ptr %7, align 8, !tbaa !143
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable
define internal i64 @recorded(ptr noundef captures(none) initializes((192, 200)) %0) #12 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 192
  store ptr null, ptr %2, align 8, !tbaa !139
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %4 = load i64, ptr %3, align 8, !tbaa !142
  ret i64 %4
}

; Function Attrs: nounwind
declare i32 @pthread_key_create(ptr noundef, ptr noundef) local_unnamed_addr #13

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define internal noundef nonnull ptr @install(ptr noundef %0, ptr noundef %1, ptr noundef %2) #14 {
  store ptr %0, ptr @tvm, align 8, !tbaa !11
  store ptr %1, ptr @retain, align 8, !tbaa !11
  store ptr %2, ptr @release, align 8, !tbaa !11
  ret ptr @launch
}

; Function Attrs: nounwind uwtable
define internal noundef ptr @make_pool(i32 noundef %0, i32 noundef %1) #1 {
  %3 = tail call noalias dereferenceable_or_null(16600) ptr @calloc(i64 noundef 1, i64 noundef 16600) #28
  %4 = icmp eq ptr %3, null
  br i1 %4, label %14, label %5

5:                                                ; preds = %2
  store i32 %0, ptr %3, align 8, !tbaa !144
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 %1, ptr %6, align 4, !tbaa !145
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %8 = tail call i32 @pthread_mutex_init(ptr noundef nonnull %7, ptr noundef null) #25
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 56
  %10 = tail call i32 @pthread_cond_init(ptr noundef nonnull %9, ptr noundef null) #25
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 104
  %12 = tail call i32 @pthread_cond_init(ptr noundef nonnull %11, ptr noundef null) #25
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 184
  store i64 20000000, ptr %13, align 8, !tbaa !10
  br label %14

14:                                               ; preds = %2, %5
  ret ptr %3
}

; Function Attrs: nounwind uwtable
define internal void @use(ptr noundef %0) #1 {
  %2 = load i32, ptr @chosen, align 4, !tbaa !6
  %3 = tail call i32 @pthread_setspecific(i32 noundef %2, ptr noundef %0) #25
  ret void
}

; Function Attrs: nounwind uwtable
define internal i32 @launch(ptr noundef %0, ptr noundef %1, i32 noundef %2) #1 {
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
  %17 = tail call ptr @pthread_getspecific(i32 noundef %16) #25
  %18 = icmp eq ptr %17, null
  br i1 %18, label %19, label %22

19:                                               ; preds = %3
  %20 = load ptr, ptr @tvm, align 8, !tbaa !11
  %21 = tail call i32 %20(ptr noundef %0, ptr noundef %1, i32 noundef %2) #25
  br label %392

22:                                               ; preds = %3
  %23 = getelementptr inbounds nuw i8, ptr %17, i64 192
  %24 = load ptr, ptr %23, align 8, !tbaa !139
  %25 = icmp eq ptr %24, null
  br i1 %25, label %79, label %26

26:                                               ; preds = %22
  call void @llvm.lifetime.start.p0(ptr nonnull %13) #25
  store ptr null, ptr %13, align 8, !tbaa !146
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %28 = icmp eq i32 %2, 0
  br i1 %28, label %29, label %32

29:                                               ; preds = %26
  %30 = getelementptr inbounds nuw i8, ptr %17, i64 208
  %31 = load i32, ptr %30, align 8, !tbaa !143
  br label %32

32:                                               ; preds = %29, %26
  %33 = phi i32 [ %31, %29 ], [ %2, %26 ]
  store i32 %33, ptr %27, align 8, !tbaa !148
  %34 = getelementptr inbounds nuw i8, ptr %13, i64 12
  store i32 0, ptr %34, align 4
  %35 = add nsw i32 %33, 2
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds nuw i8, ptr %17, i64 200
  %38 = load i64, ptr %37, align 8, !tbaa !142
  %39 = icmp slt i64 %38, %36
  %40 = sub nsw i64 %38, %36
  %41 = select i1 %39, i64 -1, i64 %40
  store i64 %41, ptr %37, align 8, !tbaa !142
  %42 = select i1 %39, i64 0, i64 %36
  %43 = getelementptr inbounds i64, ptr %24, i64 %42
  store ptr %43, ptr %23, align 8, !tbaa !139
  br i1 %39, label %54, label %44

44:                                               ; preds = %32
  %45 = sext i32 %33 to i64
  %46 = getelementptr inbounds nuw i8, ptr %24, i64 8
  store i64 %45, ptr %24, align 8, !tbaa !18
  call void @llvm.lifetime.start.p0(ptr nonnull %12) #25
  %47 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %12) #25
  %48 = load i64, ptr %12, align 8, !tbaa !149
  %49 = mul nsw i64 %48, 1000000000
  %50 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %51 = load i64, ptr %50, align 8, !tbaa !151
  %52 = add nsw i64 %49, %51
  call void @llvm.lifetime.end.p0(ptr nonnull %12) #25
  %53 = getelementptr inbounds nuw i8, ptr %24, i64 16
  store i64 %52, ptr %46, align 8, !tbaa !18
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
  %62 = call i32 %0(i32 noundef %60, ptr noundef nonnull %13, ptr noundef %1) #25
  br i1 %39, label %70, label %63

63:                                               ; preds = %59
  call void @llvm.lifetime.start.p0(ptr nonnull %11) #25
  %64 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %11) #25
  %65 = load i64, ptr %11, align 8, !tbaa !149
  %66 = mul nsw i64 %65, 1000000000
  %67 = load i64, ptr %58, align 8, !tbaa !151
  %68 = add nsw i64 %66, %67
  call void @llvm.lifetime.end.p0(ptr nonnull %11) #25
  %69 = getelementptr inbounds nuw i8, ptr %61, i64 8
  store i64 %68, ptr %61, align 8, !tbaa !18
  br label %70

70:                                               ; preds = %63, %59
  %71 = phi ptr [ %69, %63 ], [ %61, %59 ]
  %72 = add nuw nsw i32 %60, 1
  %73 = load i32, ptr %27, align 8, !tbaa !148
  %74 = icmp slt i32 %72, %73
  %75 = icmp eq i32 %62, 0
  %76 = select i1 %74, i1 %75, i1 false
  br i1 %76, label %59, label %77, !llvm.loop !152

77:                                               ; preds = %70, %54
  %78 = phi i32 [ 0, %54 ], [ %62, %70 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %13) #25
  br label %392

79:                                               ; preds = %22
  %80 = load i32, ptr %17, align 8, !tbaa !144
  %81 = icmp eq i32 %80, 1
  %82 = icmp eq i32 %2, 1
  %83 = or i1 %82, %81
  br i1 %83, label %84, label %99

84:                                               ; preds = %79
  call void @llvm.lifetime.start.p0(ptr nonnull %14) #25
  store ptr null, ptr %14, align 8, !tbaa !146
  %85 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %86 = tail call i32 @llvm.umax.i32(i32 %2, i32 1)
  store i32 %86, ptr %85, align 8, !tbaa !148
  %87 = getelementptr inbounds nuw i8, ptr %14, i64 12
  store i32 0, ptr %87, align 4
  %88 = icmp sgt i32 %86, 0
  br i1 %88, label %93, label %97

89:                                               ; preds = %93
  %90 = add nuw nsw i32 %94, 1
  %91 = load i32, ptr %85, align 8, !tbaa !148
  %92 = icmp slt i32 %90, %91
  br i1 %92, label %93, label %97, !llvm.loop !153

93:                                               ; preds = %84, %89
  %94 = phi i32 [ %90, %89 ], [ 0, %84 ]
  %95 = call i32 %0(i32 noundef %94, ptr noundef nonnull %14, ptr noundef %1) #25
  %96 = icmp eq i32 %95, 0
  br i1 %96, label %89, label %97

97:                                               ; preds = %93, %89, %84
  %98 = phi i32 [ 0, %84 ], [ 0, %89 ], [ %95, %93 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %14) #25
  br label %392

99:                                               ; preds = %79
  call void @llvm.lifetime.start.p0(ptr nonnull %10) #25
  %100 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %10) #25
  %101 = load i64, ptr %10, align 8, !tbaa !149
  %102 = mul nsw i64 %101, 1000000000
  %103 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %104 = load i64, ptr %103, align 8, !tbaa !151
  %105 = add nsw i64 %102, %104
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #25
  %106 = getelementptr inbounds nuw i8, ptr %17, i64 4
  %107 = load i32, ptr %106, align 4, !tbaa !145
  %108 = icmp eq i32 %107, 0
  br i1 %108, label %114, label %109

109:                                              ; preds = %99
  %110 = getelementptr inbounds nuw i8, ptr %17, i64 176
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
  %119 = getelementptr inbounds nuw i8, ptr %17, i64 216
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
  call void @llvm.lifetime.start.p0(ptr nonnull %15) #25
  store ptr %0, ptr %15, align 64, !tbaa !154
  %130 = getelementptr inbounds nuw i8, ptr %15, i64 8
  store ptr %1, ptr %130, align 8, !tbaa !156
  %131 = getelementptr inbounds nuw i8, ptr %15, i64 16
  %132 = icmp eq i32 %2, 0
  br i1 %132, label %137, label %145

133:                                              ; preds = %115
  call void @llvm.lifetime.start.p0(ptr nonnull %15) #25
  store ptr %0, ptr %15, align 64, !tbaa !154
  %134 = getelementptr inbounds nuw i8, ptr %15, i64 8
  store ptr %1, ptr %134, align 8, !tbaa !156
  %135 = getelementptr inbounds nuw i8, ptr %15, i64 16
  %136 = icmp eq i32 %2, 0
  br i1 %136, label %138, label %145

137:                                              ; preds = %126
  br i1 %129, label %145, label %138

138:                                              ; preds = %133, %137
  %139 = phi ptr [ %130, %137 ], [ %134, %133 ]
  %140 = phi ptr [ %131, %137 ], [ %135, %133 ]
  %141 = load i32, ptr %17, align 8, !tbaa !144
  %142 = call i32 @llvm.smax.i32(i32 %141, i32 64)
  %143 = shl nsw i32 %141, 4
  %144 = call range(i32 -2147483648, 2147483633) i32 @llvm.smin.i32(i32 %143, i32 %142)
  br label %145

145:                                              ; preds = %133, %126, %138, %137
  %146 = phi ptr [ %131, %137 ], [ %140, %138 ], [ %131, %126 ], [ %135, %133 ]
  %147 = phi ptr [ %130, %137 ], [ %139, %138 ], [ %130, %126 ], [ %134, %133 ]
  %148 = phi i1 [ true, %137 ], [ false, %138 ], [ %129, %126 ], [ false, %133 ]
  %149 = phi i32 [ 8, %137 ], [ %144, %138 ], [ %2, %126 ], [ %2, %133 ]
  store ptr null, ptr %146, align 16, !tbaa !11
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
  %162 = load ptr, ptr %15, align 64, !tbaa !154
  %163 = load ptr, ptr %147, align 8, !tbaa !156
  %164 = call i32 %162(i32 noundef %160, ptr noundef nonnull %146, ptr noundef %163) #25
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
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #25
  %172 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %9) #25
  %173 = load i64, ptr %9, align 8, !tbaa !149
  %174 = mul nsw i64 %173, 1000000000
  %175 = load i64, ptr %158, align 8, !tbaa !151
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #25
  %176 = sub i64 %175, %105
  %177 = add i64 %176, %174
  store atomic i64 %177, ptr %154 seq_cst, align 16
  br label %178

178:                                              ; preds = %171, %167
  %179 = phi i64 [ %161, %167 ], [ %177, %171 ]
  %180 = load i32, ptr %150, align 8, !tbaa !157
  %181 = icmp slt i32 %168, %180
  %182 = icmp slt i64 %179, %116
  %183 = select i1 %181, i1 %182, i1 false
  br i1 %183, label %159, label %184, !llvm.loop !158

184:                                              ; preds = %178, %145
  %185 = phi i32 [ %149, %145 ], [ %180, %178 ]
  %186 = phi i32 [ 0, %145 ], [ %168, %178 ]
  %187 = sub nsw i32 %185, %186
  %188 = icmp eq i32 %185, %186
  br i1 %188, label %368, label %189

189:                                              ; preds = %184
  %190 = load i32, ptr %17, align 8, !tbaa !144
  %191 = call i32 @llvm.smin.i32(i32 %190, i32 64)
  %192 = getelementptr inbounds nuw i8, ptr %15, i64 56
  store i32 %191, ptr %192, align 8, !tbaa !159
  %193 = sext i32 %191 to i64
  %194 = icmp sgt i32 %190, 0
  br i1 %194, label %195, label %198

195:                                              ; preds = %189
  %196 = getelementptr inbounds nuw i8, ptr %15, i64 64
  %197 = sext i32 %187 to i64
  br label %354

198:                                              ; preds = %354, %189
  %199 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %200 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #25
  %201 = getelementptr inbounds nuw i8, ptr %17, i64 164
  %202 = load i32, ptr %201, align 4, !tbaa !160
  %203 = load i32, ptr %17, align 8, !tbaa !144
  %204 = add nsw i32 %203, -1
  %205 = icmp slt i32 %202, %204
  br i1 %205, label %206, label %239

206:                                              ; preds = %198
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #25
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #25
  %207 = call i32 @sigfillset(ptr noundef nonnull %6) #25
  %208 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %6, ptr noundef nonnull %7) #25
  %209 = load i32, ptr %201, align 4, !tbaa !160
  %210 = load i32, ptr %17, align 8, !tbaa !144
  %211 = add nsw i32 %210, -1
  %212 = icmp slt i32 %209, %211
  br i1 %212, label %213, label %235

213:                                              ; preds = %206, %225
  %214 = phi i32 [ %231, %225 ], [ %209, %206 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #25
  %215 = call noalias dereferenceable_or_null(16) ptr @malloc(i64 noundef 16) #26
  %216 = icmp eq ptr %215, null
  br i1 %216, label %224, label %217

217:                                              ; preds = %213
  %218 = add nsw i32 %214, 1
  store ptr %17, ptr %215, align 8, !tbaa !11
  %219 = getelementptr inbounds nuw i8, ptr %215, i64 8
  store i32 %218, ptr %219, align 8, !tbaa !6
  %220 = getelementptr inbounds nuw i8, ptr %215, i64 12
  store i32 0, ptr %220, align 4
  %221 = call i32 @pthread_create(ptr noundef nonnull %8, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull %215) #25
  %222 = icmp eq i32 %221, 0
  br i1 %222, label %225, label %223

223:                                              ; preds = %217
  call void @free(ptr noundef nonnull %215) #25
  br label %224

224:                                              ; preds = %213, %223
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #25
  br label %235

225:                                              ; preds = %217
  %226 = load i64, ptr %8, align 8, !tbaa !18
  %227 = call i32 @pthread_setname_np(i64 noundef %226, ptr noundef nonnull @.str.4) #25
  %228 = load i64, ptr %8, align 8, !tbaa !18
  %229 = call i32 @pthread_detach(i64 noundef %228) #25
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #25
  %230 = load i32, ptr %201, align 4, !tbaa !160
  %231 = add nsw i32 %230, 1
  store i32 %231, ptr %201, align 4, !tbaa !160
  %232 = load i32, ptr %17, align 8, !tbaa !144
  %233 = add nsw i32 %232, -1
  %234 = icmp slt i32 %231, %233
  br i1 %234, label %213, label %235, !llvm.loop !161

235:                                              ; preds = %225, %224, %206
  %236 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %7, ptr noundef null) #25
  %237 = load i32, ptr %201, align 4, !tbaa !160
  %238 = add nsw i32 %237, 1
  store i32 %238, ptr %17, align 8, !tbaa !144
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #25
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #25
  br label %239

239:                                              ; preds = %235, %198
  %240 = getelementptr inbounds nuw i8, ptr %17, i64 152
  %241 = load ptr, ptr %240, align 8, !tbaa !162
  %242 = getelementptr inbounds nuw i8, ptr %15, i64 32
  store ptr %241, ptr %242, align 32, !tbaa !163
  store ptr %15, ptr %240, align 8, !tbaa !162
  %243 = getelementptr inbounds nuw i8, ptr %17, i64 160
  %244 = atomicrmw add ptr %243, i32 1 seq_cst, align 8
  %245 = getelementptr inbounds nuw i8, ptr %17, i64 168
  %246 = load i32, ptr %245, align 8, !tbaa !164
  %247 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #25
  %248 = icmp eq i32 %246, 0
  br i1 %248, label %252, label %249

249:                                              ; preds = %239
  %250 = getelementptr inbounds nuw i8, ptr %17, i64 56
  %251 = call i32 @pthread_cond_broadcast(ptr noundef nonnull %250) #25
  br label %252

252:                                              ; preds = %239, %249
  call fastcc void @compute(ptr noundef %15, i32 noundef 0)
  %253 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #25
  br label %254

254:                                              ; preds = %254, %252
  %255 = phi ptr [ %240, %252 ], [ %258, %254 ]
  %256 = load ptr, ptr %255, align 8, !tbaa !165
  %257 = icmp eq ptr %256, %15
  %258 = getelementptr inbounds nuw i8, ptr %256, i64 32
  br i1 %257, label %259, label %254, !llvm.loop !166

259:                                              ; preds = %254
  %260 = load ptr, ptr %242, align 32, !tbaa !163
  store ptr %260, ptr %255, align 8, !tbaa !165
  %261 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #25
  %262 = load atomic i32, ptr %152 seq_cst, align 8
  %263 = icmp eq i32 %262, 0
  br i1 %263, label %368, label %264

264:                                              ; preds = %259
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #25
  %265 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #25
  %266 = load i64, ptr %5, align 8, !tbaa !149
  %267 = mul nsw i64 %266, 1000000000
  %268 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %269 = load i64, ptr %268, align 8, !tbaa !151
  %270 = add nsw i64 %267, %269
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #25
  %271 = load i32, ptr %106, align 4, !tbaa !145
  %272 = icmp eq i32 %271, 0
  br i1 %272, label %339, label %273

273:                                              ; preds = %264
  %274 = getelementptr inbounds nuw i8, ptr %17, i64 176
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
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %287 = load atomic i32, ptr %152 seq_cst, align 8
  %288 = icmp eq i32 %287, 0
  br i1 %288, label %368, label %289

289:                                              ; preds = %286
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %290 = load atomic i32, ptr %152 seq_cst, align 8
  %291 = icmp eq i32 %290, 0
  br i1 %291, label %368, label %292

292:                                              ; preds = %289
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %293 = load atomic i32, ptr %152 seq_cst, align 8
  %294 = icmp eq i32 %293, 0
  br i1 %294, label %368, label %295

295:                                              ; preds = %292
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %296 = load atomic i32, ptr %152 seq_cst, align 8
  %297 = icmp eq i32 %296, 0
  br i1 %297, label %368, label %298

298:                                              ; preds = %295
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %299 = load atomic i32, ptr %152 seq_cst, align 8
  %300 = icmp eq i32 %299, 0
  br i1 %300, label %368, label %301

301:                                              ; preds = %298
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %302 = load atomic i32, ptr %152 seq_cst, align 8
  %303 = icmp eq i32 %302, 0
  br i1 %303, label %368, label %304

304:                                              ; preds = %301
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %305 = load atomic i32, ptr %152 seq_cst, align 8
  %306 = icmp eq i32 %305, 0
  br i1 %306, label %368, label %307

307:                                              ; preds = %304
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %308 = load atomic i32, ptr %152 seq_cst, align 8
  %309 = icmp eq i32 %308, 0
  br i1 %309, label %368, label %310

310:                                              ; preds = %307
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %311 = load atomic i32, ptr %152 seq_cst, align 8
  %312 = icmp eq i32 %311, 0
  br i1 %312, label %368, label %313

313:                                              ; preds = %310
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %314 = load atomic i32, ptr %152 seq_cst, align 8
  %315 = icmp eq i32 %314, 0
  br i1 %315, label %368, label %316

316:                                              ; preds = %313
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %317 = load atomic i32, ptr %152 seq_cst, align 8
  %318 = icmp eq i32 %317, 0
  br i1 %318, label %368, label %319

319:                                              ; preds = %316
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %320 = load atomic i32, ptr %152 seq_cst, align 8
  %321 = icmp eq i32 %320, 0
  br i1 %321, label %368, label %322

322:                                              ; preds = %319
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %323 = load atomic i32, ptr %152 seq_cst, align 8
  %324 = icmp eq i32 %323, 0
  br i1 %324, label %368, label %325

325:                                              ; preds = %322
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %326 = load atomic i32, ptr %152 seq_cst, align 8
  %327 = icmp eq i32 %326, 0
  br i1 %327, label %368, label %328

328:                                              ; preds = %325
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %329 = load atomic i32, ptr %152 seq_cst, align 8
  %330 = icmp eq i32 %329, 0
  br i1 %330, label %368, label %331

331:                                              ; preds = %328
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #25
  %332 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #25
  %333 = load i64, ptr %4, align 8, !tbaa !149
  %334 = mul nsw i64 %333, 1000000000
  %335 = load i64, ptr %275, align 8, !tbaa !151
  %336 = add nsw i64 %334, %335
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #25
  %337 = load i32, ptr %106, align 4, !tbaa !145
  %338 = icmp eq i32 %337, 0
  br i1 %338, label %339, label %276, !llvm.loop !168

339:                                              ; preds = %331, %276, %264
  %340 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #25
  %341 = getelementptr inbounds nuw i8, ptr %17, i64 172
  %342 = atomicrmw add ptr %341, i32 1 seq_cst, align 4
  %343 = load atomic i32, ptr %152 seq_cst, align 8
  %344 = icmp eq i32 %343, 0
  br i1 %344, label %351, label %345

345:                                              ; preds = %339
  %346 = getelementptr inbounds nuw i8, ptr %17, i64 104
  br label %347

347:                                              ; preds = %347, %345
  %348 = call i32 @pthread_cond_wait(ptr noundef nonnull %346, ptr noundef nonnull %199) #25
  %349 = load atomic i32, ptr %152 seq_cst, align 8
  %350 = icmp eq i32 %349, 0
  br i1 %350, label %351, label %347, !llvm.loop !169

351:                                              ; preds = %347, %339
  %352 = atomicrmw sub ptr %341, i32 1 seq_cst, align 4
  %353 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #25
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
  store i32 %365, ptr %366, align 4, !tbaa !170
  %367 = icmp eq i64 %361, %193
  br i1 %367, label %198, label %354, !llvm.loop !172

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
  br i1 %387, label %390, label %388

388:                                              ; preds = %383
  %389 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  call void %389(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.3) #25
  br label %390

390:                                              ; preds = %383, %388
  %391 = phi i32 [ -1, %388 ], [ 0, %383 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %15) #25
  br label %392

392:                                              ; preds = %390, %97, %77, %19
  %393 = phi i32 [ %78, %77 ], [ %98, %97 ], [ %391, %390 ], [ %21, %19 ]
  ret i32 %393
}

; Function Attrs: nounwind
declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr #13

; Function Attrs: nounwind uwtable
define internal fastcc void @compute(ptr noundef nonnull %0, i32 noundef %1) unnamed_addr #1 {
  %3 = alloca %struct.timespec, align 8
  %4 = alloca %struct.timespec, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #25
  %5 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #25
  %6 = load i64, ptr %4, align 8, !tbaa !149
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %8 = load i64, ptr %7, align 8, !tbaa !151
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #25
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %10 = load i32, ptr %9, align 8, !tbaa !159
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
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #25
  %19 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #25
  %20 = load i64, ptr %3, align 8, !tbaa !149
  %21 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %22 = load i64, ptr %21, align 8, !tbaa !151
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #25
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
  %37 = load i32, ptr %35, align 4, !tbaa !170
  %38 = icmp slt i32 %36, %37
  br i1 %38, label %39, label %55

39:                                               ; preds = %28, %49
  %40 = atomicrmw add ptr %34, i32 1 seq_cst, align 64
  %41 = load i32, ptr %35, align 4, !tbaa !170
  %42 = icmp slt i32 %40, %41
  br i1 %42, label %43, label %49

43:                                               ; preds = %39
  %44 = load ptr, ptr %0, align 64, !tbaa !154
  %45 = load ptr, ptr %15, align 8, !tbaa !156
  %46 = call i32 %44(i32 noundef %40, ptr noundef nonnull %14, ptr noundef %45) #25
  %47 = icmp eq i32 %46, 0
  br i1 %47, label %49, label %48

48:                                               ; preds = %43
  store atomic i32 1, ptr %16 seq_cst, align 4
  br label %49

49:                                               ; preds = %48, %43, %39
  %50 = load atomic i32, ptr %34 monotonic, align 64
  %51 = load i32, ptr %35, align 4, !tbaa !170
  %52 = icmp slt i32 %50, %51
  br i1 %52, label %39, label %53, !llvm.loop !173

53:                                               ; preds = %49
  %54 = load i32, ptr %9, align 8, !tbaa !159
  br label %55

55:                                               ; preds = %53, %28
  %56 = phi i32 [ %54, %53 ], [ %29, %28 ]
  %57 = add nuw nsw i32 %30, 1
  %58 = icmp slt i32 %57, %56
  br i1 %58, label %28, label %17, !llvm.loop !174
}

; Function Attrs: nounwind
declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #13

; Function Attrs: nounwind
declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #13

; Function Attrs: nounwind
declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #13

; Function Attrs: nounwind
declare i32 @pthread_cond_broadcast(ptr noundef) local_unnamed_addr #13

; Function Attrs: nounwind
declare i32 @sigfillset(ptr noundef) local_unnamed_addr #13

; Function Attrs: nounwind
declare i32 @pthread_sigmask(i32 noundef, ptr noundef, ptr noundef) local_unnamed_addr #13

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #15

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #13

; Function Attrs: noreturn nounwind uwtable
define internal noalias noundef nonnull ptr @work(ptr noundef captures(none) %0) #16 {
  %2 = alloca %struct.timespec, align 8
  %3 = alloca [64 x i8], align 1
  %4 = alloca ptr, align 8
  %5 = alloca %struct.timespec, align 8
  %6 = alloca [64 x i8], align 1
  %7 = alloca ptr, align 8
  %8 = alloca %struct.timespec, align 8
  %9 = load ptr, ptr %0, align 8, !tbaa !11
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %11 = load i32, ptr %10, align 8, !tbaa !6
  tail call void @free(ptr noundef %0) #25
  %12 = tail call i32 (ptr, i32, ...) @open(ptr noundef nonnull @.str.5, i32 noundef 524288) #25
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #25
  %13 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %8) #25
  %14 = load i64, ptr %8, align 8, !tbaa !149
  %15 = mul nsw i64 %14, 1000000000
  %16 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %17 = load i64, ptr %16, align 8, !tbaa !151
  %18 = add nsw i64 %15, %17
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #25
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #25
  %19 = call i64 @pread(i32 noundef %12, ptr noundef nonnull %6, i64 noundef 63, i64 noundef 0) #25
  %20 = icmp slt i64 %19, 1
  br i1 %20, label %26, label %21

21:                                               ; preds = %1
  %22 = getelementptr inbounds nuw i8, ptr %6, i64 %19
  store i8 0, ptr %22, align 1, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #25
  %23 = call i64 @strtoll(ptr noundef nonnull %6, ptr noundef nonnull %7, i32 noundef 10) #25
  %24 = load ptr, ptr %7, align 8, !tbaa !13
  %25 = call i64 @strtoll(ptr noundef captures(none) %24, ptr noundef null, i32 noundef 10) #25
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #25
  br label %26

26:                                               ; preds = %1, %21
  %27 = phi i64 [ %25, %21 ], [ 0, %1 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #25
  %28 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %29 = getelementptr inbounds nuw i8, ptr %9, i64 160
  %30 = getelementptr inbounds nuw i8, ptr %9, i64 152
  %31 = getelementptr inbounds nuw i8, ptr %9, i64 172
  %32 = getelementptr inbounds nuw i8, ptr %9, i64 104
  %33 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %34 = getelementptr inbounds nuw i8, ptr %9, i64 4
  %35 = getelementptr inbounds nuw i8, ptr %9, i64 176
  %36 = getelementptr inbounds nuw i8, ptr %9, i64 184
  %37 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %38 = getelementptr inbounds nuw i8, ptr %9, i64 168
  %39 = getelementptr inbounds nuw i8, ptr %9, i64 56
  br label %40

40:                                               ; preds = %210, %26
  %41 = phi i64 [ %18, %26 ], [ %211, %210 ]
  %42 = phi i64 [ %27, %26 ], [ %212, %210 ]
  br label %43

43:                                               ; preds = %76, %40
  %44 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #25
  %45 = load atomic i32, ptr %29 seq_cst, align 8
  %46 = load ptr, ptr %30, align 8, !tbaa !165
  %47 = icmp eq ptr %46, null
  br i1 %47, label %83, label %48

48:                                               ; preds = %43, %66
  %49 = phi ptr [ %68, %66 ], [ %46, %43 ]
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 64
  %51 = getelementptr inbounds nuw i8, ptr %49, i64 56
  %52 = load i32, ptr %51, align 8, !tbaa !159
  %53 = icmp sgt i32 %52, 0
  br i1 %53, label %54, label %66

54:                                               ; preds = %48
  %55 = zext nneg i32 %52 to i64
  br label %59

56:                                               ; preds = %59
  %57 = add nuw nsw i64 %60, 1
  %58 = icmp eq i64 %57, %55
  br i1 %58, label %66, label %59, !llvm.loop !175

59:                                               ; preds = %56, %54
  %60 = phi i64 [ 0, %54 ], [ %57, %56 ]
  %61 = getelementptr inbounds nuw %struct.Share, ptr %50, i64 %60
  %62 = load atomic i32, ptr %61 monotonic, align 64
  %63 = getelementptr inbounds nuw i8, ptr %61, i64 4
  %64 = load i32, ptr %63, align 4, !tbaa !170
  %65 = icmp slt i32 %62, %64
  br i1 %65, label %70, label %56

66:                                               ; preds = %56, %48
  %67 = getelementptr inbounds nuw i8, ptr %49, i64 32
  %68 = load ptr, ptr %67, align 8, !tbaa !165
  %69 = icmp eq ptr %68, null
  br i1 %69, label %83, label %48, !llvm.loop !176

70:                                               ; preds = %59
  %71 = getelementptr inbounds nuw i8, ptr %49, i64 40
  %72 = atomicrmw add ptr %71, i32 1 seq_cst, align 8
  %73 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #25
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
  %81 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #25
  %82 = call i32 @pthread_cond_broadcast(ptr noundef nonnull %32) #25
  br label %206

83:                                               ; preds = %43, %66
  %84 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #25
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #25
  %85 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #25
  %86 = load i64, ptr %5, align 8, !tbaa !149
  %87 = mul nsw i64 %86, 1000000000
  %88 = load i64, ptr %33, align 8, !tbaa !151
  %89 = add nsw i64 %87, %88
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #25
  %90 = load i32, ptr %34, align 4, !tbaa !145
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
  %105 = load i32, ptr %34, align 4, !tbaa !145
  %106 = icmp eq i32 %105, 0
  br i1 %106, label %133, label %107

107:                                              ; preds = %104
  %108 = load atomic i64, ptr %35 seq_cst, align 8
  %109 = icmp slt i64 %95, %108
  br i1 %109, label %133, label %110

110:                                              ; preds = %107
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #25
  %111 = call i64 @pread(i32 noundef %12, ptr noundef nonnull %3, i64 noundef 63, i64 noundef 0) #25
  %112 = icmp slt i64 %111, 1
  br i1 %112, label %118, label %113

113:                                              ; preds = %110
  %114 = getelementptr inbounds nuw i8, ptr %3, i64 %111
  store i8 0, ptr %114, align 1, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #25
  %115 = call i64 @strtoll(ptr noundef nonnull %3, ptr noundef nonnull %4, i32 noundef 10) #25
  %116 = load ptr, ptr %4, align 8, !tbaa !13
  %117 = call i64 @strtoll(ptr noundef captures(none) %116, ptr noundef null, i32 noundef 10) #25
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #25
  br label %118

118:                                              ; preds = %113, %110
  %119 = phi i64 [ %117, %113 ], [ 0, %110 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #25
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
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %139 = load atomic i32, ptr %29 seq_cst, align 8
  %140 = icmp eq i32 %139, %45
  br i1 %140, label %141, label %210

141:                                              ; preds = %138
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %142 = load atomic i32, ptr %29 seq_cst, align 8
  %143 = icmp eq i32 %142, %45
  br i1 %143, label %144, label %210

144:                                              ; preds = %141
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %145 = load atomic i32, ptr %29 seq_cst, align 8
  %146 = icmp eq i32 %145, %45
  br i1 %146, label %147, label %210

147:                                              ; preds = %144
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %148 = load atomic i32, ptr %29 seq_cst, align 8
  %149 = icmp eq i32 %148, %45
  br i1 %149, label %150, label %210

150:                                              ; preds = %147
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %151 = load atomic i32, ptr %29 seq_cst, align 8
  %152 = icmp eq i32 %151, %45
  br i1 %152, label %153, label %210

153:                                              ; preds = %150
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %154 = load atomic i32, ptr %29 seq_cst, align 8
  %155 = icmp eq i32 %154, %45
  br i1 %155, label %156, label %210

156:                                              ; preds = %153
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %157 = load atomic i32, ptr %29 seq_cst, align 8
  %158 = icmp eq i32 %157, %45
  br i1 %158, label %159, label %210

159:                                              ; preds = %156
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %160 = load atomic i32, ptr %29 seq_cst, align 8
  %161 = icmp eq i32 %160, %45
  br i1 %161, label %162, label %210

162:                                              ; preds = %159
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %163 = load atomic i32, ptr %29 seq_cst, align 8
  %164 = icmp eq i32 %163, %45
  br i1 %164, label %165, label %210

165:                                              ; preds = %162
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %166 = load atomic i32, ptr %29 seq_cst, align 8
  %167 = icmp eq i32 %166, %45
  br i1 %167, label %168, label %210

168:                                              ; preds = %165
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %169 = load atomic i32, ptr %29 seq_cst, align 8
  %170 = icmp eq i32 %169, %45
  br i1 %170, label %171, label %210

171:                                              ; preds = %168
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %172 = load atomic i32, ptr %29 seq_cst, align 8
  %173 = icmp eq i32 %172, %45
  br i1 %173, label %174, label %210

174:                                              ; preds = %171
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %175 = load atomic i32, ptr %29 seq_cst, align 8
  %176 = icmp eq i32 %175, %45
  br i1 %176, label %177, label %210

177:                                              ; preds = %174
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %178 = load atomic i32, ptr %29 seq_cst, align 8
  %179 = icmp eq i32 %178, %45
  br i1 %179, label %180, label %210

180:                                              ; preds = %177
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  %181 = load atomic i32, ptr %29 seq_cst, align 8
  %182 = icmp eq i32 %181, %45
  br i1 %182, label %183, label %210

183:                                              ; preds = %180
  call void asm sideeffect "yield", ""() #25, !srcloc !167
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #25
  %184 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %2) #25
  %185 = load i64, ptr %2, align 8, !tbaa !149
  %186 = mul nsw i64 %185, 1000000000
  %187 = load i64, ptr %37, align 8, !tbaa !151
  %188 = add nsw i64 %186, %187
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #25
  %189 = load i32, ptr %34, align 4, !tbaa !145
  %190 = icmp eq i32 %189, 0
  br i1 %190, label %191, label %92, !llvm.loop !177

191:                                              ; preds = %183, %92, %83
  %192 = phi i64 [ %41, %83 ], [ %134, %183 ], [ %93, %92 ]
  %193 = phi i64 [ %42, %83 ], [ %135, %183 ], [ %94, %92 ]
  %194 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #25
  %195 = load i32, ptr %38, align 8, !tbaa !164
  %196 = add nsw i32 %195, 1
  store i32 %196, ptr %38, align 8, !tbaa !164
  %197 = load atomic i32, ptr %29 seq_cst, align 8
  %198 = icmp eq i32 %197, %45
  br i1 %198, label %199, label %203

199:                                              ; preds = %191, %199
  %200 = call i32 @pthread_cond_wait(ptr noundef nonnull %39, ptr noundef nonnull %28) #25
  %201 = load atomic i32, ptr %29 seq_cst, align 8
  %202 = icmp eq i32 %201, %45
  br i1 %202, label %199, label %203, !llvm.loop !178

203:                                              ; preds = %199, %191
  %204 = load i32, ptr %38, align 8, !tbaa !164
  %205 = add nsw i32 %204, -1
  store i32 %205, ptr %38, align 8, !tbaa !164
  br label %206

206:                                              ; preds = %80, %203
  %207 = phi i64 [ %41, %80 ], [ %192, %203 ]
  %208 = phi i64 [ %42, %80 ], [ %193, %203 ]
  %209 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #25
  br label %210

210:                                              ; preds = %138, %141, %144, %147, %150, %153, %156, %159, %162, %165, %168, %171, %174, %177, %180, %133, %206
  %211 = phi i64 [ %207, %206 ], [ %134, %133 ], [ %134, %180 ], [ %134, %177 ], [ %134, %174 ], [ %134, %171 ], [ %134, %168 ], [ %134, %165 ], [ %134, %162 ], [ %134, %159 ], [ %134, %156 ], [ %134, %153 ], [ %134, %150 ], [ %134, %147 ], [ %134, %144 ], [ %134, %141 ], [ %134, %138 ]
  %212 = phi i64 [ %208, %206 ], [ %135, %133 ], [ %135, %180 ], [ %135, %177 ], [ %135, %174 ], [ %135, %171 ], [ %135, %168 ], [ %135, %165 ], [ %135, %162 ], [ %135, %159 ], [ %135, %156 ], [ %135, %153 ], [ %135, %150 ], [ %135, %147 ], [ %135, %144 ], [ %135, %141 ], [ %135, %138 ]
  br label %40
}

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #17

; Function Attrs: nounwind
declare i32 @pthread_setname_np(i64 noundef, ptr noundef) local_unnamed_addr #13

; Function Attrs: nounwind
declare i32 @pthread_detach(i64 noundef) local_unnamed_addr #13

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef) local_unnamed_addr #5

; Function Attrs: nofree
declare noundef i32 @open(ptr noundef readonly captures(none), i32 noundef, ...) local_unnamed_addr #18

; Function Attrs: nofree
declare noundef i64 @pread(i32 noundef, ptr noundef captures(none), i64 noundef, i64 noundef) local_unnamed_addr #18

; Function Attrs: mustprogress nocallback nofree nounwind willreturn
declare i64 @strtoll(ptr noundef readonly, ptr noundef captures(none), i32 noundef) local_unnamed_addr #19

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #20

; Function Attrs: nounwind
declare i32 @pthread_mutex_init(ptr noundef, ptr noundef) local_unnamed_addr #13

; Function Attrs: nounwind
declare i32 @pthread_cond_init(ptr noundef, ptr noundef) local_unnamed_addr #13

; Function Attrs: nounwind
declare i32 @pthread_setspecific(i32 noundef, ptr noundef) local_unnamed_addr #13

; Function Attrs: nounwind
declare i32 @madvise(ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #13

; Function Attrs: mustprogress nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) uwtable
define internal void @forget(ptr noundef captures(none) %0, i32 noundef %1) #11 {
  %3 = and i32 %1, 2
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %6, label %5

5:                                                ; preds = %2
  tail call void @free(ptr noundef %0) #25
  br label %6

6:                                                ; preds = %5, %2
  ret void
}

; Function Attrs: nofree nounwind
declare i32 @posix_memalign(ptr noundef, i64 noundef, i64 noundef) local_unnamed_addr #21

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: read)
declare i32 @strcmp(ptr noundef captures(none), ptr noundef captures(none)) local_unnamed_addr #22

; Function Attrs: nounwind uwtable
define internal noundef i32 @refuse_index(ptr readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 %2, ptr readnone captures(none) %3) #1 {
  %5 = alloca [20 x i8], align 1
  %6 = alloca [20 x i8], align 1
  %7 = alloca [20 x i8], align 1
  %8 = alloca [20 x i8], align 1
  %9 = alloca [512 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #25
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(22) %9, ptr noundef nonnull align 1 dereferenceable(22) @.str.11, i64 22, i1 false)
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %11 = load i64, ptr %10, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #25
  %12 = tail call i64 @llvm.abs.i64(i64 %11, i1 false)
  br label %13

13:                                               ; preds = %13, %4
  %14 = phi i32 [ %26, %13 ], [ 1, %4 ]
  %15 = phi i64 [ %23, %13 ], [ 0, %4 ]
  %16 = phi i64 [ %18, %13 ], [ %12, %4 ]
  %17 = freeze i64 %16
  %18 = udiv i64 %17, 10
  %19 = mul i64 %18, 10
  %20 = sub i64 %17, %19
  %21 = trunc nuw nsw i64 %20 to i8
  %22 = or disjoint i8 %21, 48
  %23 = add nuw nsw i64 %15, 1
  %24 = getelementptr inbounds nuw i8, ptr %8, i64 %15
  store i8 %22, ptr %24, align 1, !tbaa !10
  %25 = icmp ult i64 %16, 10
  %26 = add nuw i32 %14, 1
  br i1 %25, label %27, label %13, !llvm.loop !179

27:                                               ; preds = %13
  %28 = getelementptr inbounds nuw i8, ptr %9, i64 22
  %29 = icmp slt i64 %11, 0
  br i1 %29, label %30, label %32

30:                                               ; preds = %27
  %31 = getelementptr inbounds nuw i8, ptr %9, i64 23
  store i8 45, ptr %28, align 1, !tbaa !10
  br label %32

32:                                               ; preds = %30, %27
  %33 = phi ptr [ %31, %30 ], [ %28, %27 ]
  %34 = sext i32 %14 to i64
  br label %35

35:                                               ; preds = %35, %32
  %36 = phi i64 [ %34, %32 ], [ %38, %35 ]
  %37 = phi ptr [ %33, %32 ], [ %41, %35 ]
  %38 = add nsw i64 %36, -1
  %39 = getelementptr inbounds i8, ptr %8, i64 %38
  %40 = load i8, ptr %39, align 1, !tbaa !10
  %41 = getelementptr inbounds nuw i8, ptr %37, i64 1
  store i8 %40, ptr %37, align 1, !tbaa !10
  %42 = icmp eq i64 %38, 0
  br i1 %42, label %43, label %35, !llvm.loop !180

43:                                               ; preds = %35
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #25
  store i32 544175136, ptr %41, align 1
  %44 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %45 = load i64, ptr %44, align 8, !tbaa !10
  %46 = add nsw i64 %45, -1
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #25
  %47 = tail call i64 @llvm.abs.i64(i64 %46, i1 false)
  br label %48

48:                                               ; preds = %48, %43
  %49 = phi i32 [ %61, %48 ], [ 1, %43 ]
  %50 = phi i64 [ %58, %48 ], [ 0, %43 ]
  %51 = phi i64 [ %53, %48 ], [ %47, %43 ]
  %52 = freeze i64 %51
  %53 = udiv i64 %52, 10
  %54 = mul i64 %53, 10
  %55 = sub i64 %52, %54
  %56 = trunc nuw nsw i64 %55 to i8
  %57 = or disjoint i8 %56, 48
  %58 = add nuw nsw i64 %50, 1
  %59 = getelementptr inbounds nuw i8, ptr %7, i64 %50
  store i8 %57, ptr %59, align 1, !tbaa !10
  %60 = icmp ult i64 %51, 10
  %61 = add nuw i32 %49, 1
  br i1 %60, label %62, label %48, !llvm.loop !179

62:                                               ; preds = %48
  %63 = getelementptr inbounds nuw i8, ptr %37, i64 5
  %64 = icmp slt i64 %45, 1
  br i1 %64, label %65, label %67

65:                                               ; preds = %62
  %66 = getelementptr inbounds nuw i8, ptr %37, i64 6
  store i8 45, ptr %63, align 1, !tbaa !10
  br label %67

67:                                               ; preds = %65, %62
  %68 = phi ptr [ %66, %65 ], [ %63, %62 ]
  %69 = sext i32 %49 to i64
  br label %70

70:                                               ; preds = %70, %67
  %71 = phi i64 [ %69, %67 ], [ %73, %70 ]
  %72 = phi ptr [ %68, %67 ], [ %76, %70 ]
  %73 = add nsw i64 %71, -1
  %74 = getelementptr inbounds i8, ptr %7, i64 %73
  %75 = load i8, ptr %74, align 1, !tbaa !10
  %76 = getelementptr inbounds nuw i8, ptr %72, i64 1
  store i8 %75, ptr %72, align 1, !tbaa !10
  %77 = icmp eq i64 %73, 0
  br i1 %77, label %78, label %70, !llvm.loop !180

78:                                               ; preds = %70
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #25
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(13) %76, ptr noundef nonnull align 1 dereferenceable(13) @.str.13, i64 13, i1 false)
  %79 = load i64, ptr %44, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #25
  %80 = tail call i64 @llvm.abs.i64(i64 %79, i1 false)
  br label %81

81:                                               ; preds = %81, %78
  %82 = phi i32 [ %94, %81 ], [ 1, %78 ]
  %83 = phi i64 [ %91, %81 ], [ 0, %78 ]
  %84 = phi i64 [ %86, %81 ], [ %80, %78 ]
  %85 = freeze i64 %84
  %86 = udiv i64 %85, 10
  %87 = mul i64 %86, 10
  %88 = sub i64 %85, %87
  %89 = trunc nuw nsw i64 %88 to i8
  %90 = or disjoint i8 %89, 48
  %91 = add nuw nsw i64 %83, 1
  %92 = getelementptr inbounds nuw i8, ptr %6, i64 %83
  store i8 %90, ptr %92, align 1, !tbaa !10
  %93 = icmp ult i64 %84, 10
  %94 = add nuw i32 %82, 1
  br i1 %93, label %95, label %81, !llvm.loop !179

95:                                               ; preds = %81
  %96 = getelementptr inbounds nuw i8, ptr %72, i64 14
  %97 = icmp slt i64 %79, 0
  br i1 %97, label %98, label %100

98:                                               ; preds = %95
  %99 = getelementptr inbounds nuw i8, ptr %72, i64 15
  store i8 45, ptr %96, align 1, !tbaa !10
  br label %100

100:                                              ; preds = %98, %95
  %101 = phi ptr [ %99, %98 ], [ %96, %95 ]
  %102 = sext i32 %82 to i64
  br label %103

103:                                              ; preds = %103, %100
  %104 = phi i64 [ %102, %100 ], [ %106, %103 ]
  %105 = phi ptr [ %101, %100 ], [ %109, %103 ]
  %106 = add nsw i64 %104, -1
  %107 = getelementptr inbounds i8, ptr %6, i64 %106
  %108 = load i8, ptr %107, align 1, !tbaa !10
  %109 = getelementptr inbounds nuw i8, ptr %105, i64 1
  store i8 %108, ptr %105, align 1, !tbaa !10
  %110 = icmp eq i64 %106, 0
  br i1 %110, label %111, label %103, !llvm.loop !180

111:                                              ; preds = %103
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #25
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(15) %109, ptr noundef nonnull align 1 dereferenceable(15) @.str.14, i64 15, i1 false)
  %112 = getelementptr inbounds nuw i8, ptr %105, i64 16
  %113 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %114 = load ptr, ptr %113, align 8, !tbaa !10
  %115 = tail call i64 @strlen(ptr noundef nonnull readonly dereferenceable(1) %114) #27
  %116 = tail call i64 @llvm.umin.i64(i64 %115, i64 300)
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %112, ptr nonnull readonly align 1 %114, i64 %116, i1 false)
  %117 = getelementptr inbounds nuw i8, ptr %112, i64 %116
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(9) %117, ptr noundef nonnull align 1 dereferenceable(9) @.str.15, i64 9, i1 false)
  %118 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %119 = load i64, ptr %118, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #25
  %120 = tail call i64 @llvm.abs.i64(i64 %119, i1 false)
  br label %121

121:                                              ; preds = %121, %111
  %122 = phi i32 [ %134, %121 ], [ 1, %111 ]
  %123 = phi i64 [ %131, %121 ], [ 0, %111 ]
  %124 = phi i64 [ %126, %121 ], [ %120, %111 ]
  %125 = freeze i64 %124
  %126 = udiv i64 %125, 10
  %127 = mul i64 %126, 10
  %128 = sub i64 %125, %127
  %129 = trunc nuw nsw i64 %128 to i8
  %130 = or disjoint i8 %129, 48
  %131 = add nuw nsw i64 %123, 1
  %132 = getelementptr inbounds nuw i8, ptr %5, i64 %123
  store i8 %130, ptr %132, align 1, !tbaa !10
  %133 = icmp ult i64 %124, 10
  %134 = add nuw i32 %122, 1
  br i1 %133, label %135, label %121, !llvm.loop !179

135:                                              ; preds = %121
  %136 = getelementptr inbounds nuw i8, ptr %117, i64 9
  %137 = icmp slt i64 %119, 0
  br i1 %137, label %138, label %140

138:                                              ; preds = %135
  %139 = getelementptr inbounds nuw i8, ptr %117, i64 10
  store i8 45, ptr %136, align 1, !tbaa !10
  br label %140

140:                                              ; preds = %138, %135
  %141 = phi ptr [ %139, %138 ], [ %136, %135 ]
  %142 = sext i32 %122 to i64
  br label %143

143:                                              ; preds = %143, %140
  %144 = phi i64 [ %142, %140 ], [ %146, %143 ]
  %145 = phi ptr [ %141, %140 ], [ %149, %143 ]
  %146 = add nsw i64 %144, -1
  %147 = getelementptr inbounds i8, ptr %5, i64 %146
  %148 = load i8, ptr %147, align 1, !tbaa !10
  %149 = getelementptr inbounds nuw i8, ptr %145, i64 1
  store i8 %148, ptr %145, align 1, !tbaa !10
  %150 = icmp eq i64 %146, 0
  br i1 %150, label %151, label %143, !llvm.loop !180

151:                                              ; preds = %143
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #25
  store i8 0, ptr %149, align 1, !tbaa !10
  %152 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  call void %152(ptr noundef nonnull @.str.16, ptr noundef nonnull %9) #25
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #25
  ret i32 -1
}

; Function Attrs: nounwind uwtable
define internal range(i32 -1, 1) i32 @top_k(ptr readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr readnone captures(none) %3) #1 {
  %5 = alloca i64, align 8
  %6 = sext i32 %2 to i64
  %7 = getelementptr inbounds %struct.Any, ptr %1, i64 %6
  %8 = getelementptr inbounds i8, ptr %7, i64 -24
  %9 = load ptr, ptr %8, align 8, !tbaa !10
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %11 = load ptr, ptr %10, align 8, !tbaa !10
  %12 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %9, ptr noundef nonnull dereferenceable(8) @.str.17) #27
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %17, label %14

14:                                               ; preds = %4
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %16 = load ptr, ptr %15, align 8, !tbaa !10
  br label %17

17:                                               ; preds = %4, %14
  %18 = phi ptr [ %16, %14 ], [ null, %4 ]
  %19 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %9, ptr noundef nonnull dereferenceable(7) @.str.18) #27
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %27, label %21

21:                                               ; preds = %17
  %22 = icmp eq ptr %18, null
  %23 = select i1 %22, i64 1, i64 2
  %24 = getelementptr inbounds nuw %struct.Any, ptr %1, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %26 = load ptr, ptr %25, align 8, !tbaa !10
  br label %27

27:                                               ; preds = %17, %21
  %28 = phi ptr [ %26, %21 ], [ null, %17 ]
  %29 = getelementptr inbounds i8, ptr %7, i64 -56
  %30 = load i64, ptr %29, align 8, !tbaa !10
  %31 = getelementptr inbounds i8, ptr %7, i64 -40
  %32 = load i64, ptr %31, align 8, !tbaa !10
  %33 = icmp slt i64 %32, 0
  %34 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %35 = load i32, ptr %34, align 8, !tbaa !181
  %36 = sext i32 %35 to i64
  %37 = select i1 %33, i64 %36, i64 0
  %38 = add nsw i64 %32, %37
  %39 = icmp sgt i32 %35, 0
  br i1 %39, label %40, label %45

40:                                               ; preds = %27
  %41 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %42 = zext nneg i32 %35 to i64
  br label %58

43:                                               ; preds = %72
  %44 = mul nsw i64 %74, %73
  br label %45

45:                                               ; preds = %43, %27
  %46 = phi i64 [ 1, %27 ], [ %73, %43 ]
  %47 = phi i64 [ 1, %27 ], [ %44, %43 ]
  %48 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %49 = load ptr, ptr %48, align 8, !tbaa !184
  %50 = getelementptr inbounds i64, ptr %49, i64 %38
  %51 = load i64, ptr %50, align 8, !tbaa !18
  %52 = icmp slt i64 %30, 1
  %53 = select i1 %52, i64 %51, i64 %30
  %54 = shl i64 %51, 5
  %55 = or disjoint i64 %54, 16
  %56 = tail call noalias ptr @malloc(i64 noundef %55) #26
  %57 = icmp eq ptr %56, null
  br i1 %57, label %77, label %79

58:                                               ; preds = %40, %72
  %59 = phi i64 [ 0, %40 ], [ %75, %72 ]
  %60 = phi i64 [ 1, %40 ], [ %74, %72 ]
  %61 = phi i64 [ 1, %40 ], [ %73, %72 ]
  %62 = icmp eq i64 %38, %59
  br i1 %62, label %72, label %63

63:                                               ; preds = %58
  %64 = load ptr, ptr %41, align 8, !tbaa !184
  %65 = getelementptr inbounds nuw i64, ptr %64, i64 %59
  %66 = load i64, ptr %65, align 8, !tbaa !18
  %67 = icmp sgt i64 %38, %59
  %68 = select i1 %67, i64 %60, i64 %61
  %69 = mul nsw i64 %66, %68
  %70 = select i1 %67, i64 %61, i64 %69
  %71 = select i1 %67, i64 %69, i64 %60
  br label %72

72:                                               ; preds = %58, %63
  %73 = phi i64 [ %70, %63 ], [ %61, %58 ]
  %74 = phi i64 [ %71, %63 ], [ %60, %58 ]
  %75 = add nuw nsw i64 %59, 1
  %76 = icmp eq i64 %75, %42
  br i1 %76, label %43, label %58, !llvm.loop !185

77:                                               ; preds = %45
  %78 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  tail call void %78(ptr noundef nonnull @.str.6, ptr noundef nonnull @.str.7) #25
  br label %248

79:                                               ; preds = %45
  %80 = getelementptr inbounds nuw i8, ptr %11, i64 21
  %81 = icmp sgt i64 %47, 0
  br i1 %81, label %82, label %97

82:                                               ; preds = %79
  %83 = load i8, ptr %80, align 1, !tbaa !186
  %84 = lshr i8 %83, 3
  %85 = mul i64 %51, %46
  %86 = icmp sgt i64 %51, 0
  %87 = zext nneg i8 %84 to i64
  %88 = getelementptr inbounds nuw i8, ptr %11, i64 20
  %89 = getelementptr inbounds i8, ptr %7, i64 -8
  %90 = getelementptr inbounds %struct.Element, ptr %56, i64 %51
  %91 = icmp sgt i64 %51, 1
  %92 = tail call i64 @llvm.smin.i64(i64 %53, i64 %51)
  %93 = icmp sgt i64 %92, 0
  %94 = icmp eq ptr %28, null
  %95 = getelementptr inbounds nuw i8, ptr %28, i64 21
  %96 = icmp eq ptr %18, null
  br label %98

97:                                               ; preds = %214, %79
  tail call void @free(ptr noundef %56) #25
  br label %248

98:                                               ; preds = %82, %214
  %99 = phi i64 [ 0, %82 ], [ %215, %214 ]
  %100 = freeze i64 %99
  %101 = freeze i64 %46
  %102 = sdiv i64 %100, %101
  %103 = mul i64 %85, %102
  %104 = mul i64 %102, %101
  %105 = sub i64 %100, %104
  %106 = add nsw i64 %103, %105
  %107 = mul i64 %102, %53
  br i1 %86, label %108, label %180

108:                                              ; preds = %98
  %109 = load ptr, ptr %11, align 8, !tbaa !187
  %110 = load i8, ptr %80, align 1, !tbaa !186
  %111 = zext i8 %110 to i64
  %112 = add nuw nsw i64 %111, 4294967295
  %113 = and i64 %112, 4294967295
  %114 = shl nuw i64 1, %113
  %115 = add i64 %114, -1
  %116 = or i64 %115, %114
  %117 = load i8, ptr %88, align 4, !tbaa !188
  %118 = icmp eq i8 %110, 16
  %119 = icmp eq i8 %110, 32
  %120 = select i1 %119, i64 23, i64 52
  %121 = xor i64 %114, -1
  %122 = icmp eq i8 %117, 0
  %123 = select i1 %122, i64 %114, i64 0
  %124 = load i64, ptr %89, align 8, !tbaa !10
  %125 = icmp eq i64 %124, 0
  %126 = sext i1 %125 to i64
  %127 = select i1 %118, i64 10, i64 %120
  br label %182

128:                                              ; preds = %207
  br i1 %91, label %129, label %180

129:                                              ; preds = %128, %134
  %130 = phi ptr [ %131, %134 ], [ %56, %128 ]
  %131 = phi ptr [ %130, %134 ], [ %90, %128 ]
  %132 = phi i64 [ %133, %134 ], [ 1, %128 ]
  %133 = shl i64 %132, 1
  br label %136

134:                                              ; preds = %147
  %135 = icmp slt i64 %133, %51
  br i1 %135, label %129, label %180, !llvm.loop !189

136:                                              ; preds = %147, %129
  %137 = phi i64 [ %132, %129 ], [ %150, %147 ]
  %138 = phi i64 [ 0, %129 ], [ %148, %147 ]
  %139 = tail call i64 @llvm.smin.i64(i64 %51, i64 %137)
  %140 = add nsw i64 %139, %132
  %141 = tail call i64 @llvm.smin.i64(i64 %51, i64 %140)
  %142 = add nsw i64 %138, %132
  %143 = tail call i64 @llvm.smin.i64(i64 %142, i64 %51)
  %144 = add nsw i64 %143, %132
  %145 = tail call i64 @llvm.smin.i64(i64 %144, i64 %51)
  %146 = icmp slt i64 %138, %145
  br i1 %146, label %151, label %147

147:                                              ; preds = %172, %136
  %148 = add nsw i64 %138, %133
  %149 = icmp slt i64 %148, %51
  %150 = add i64 %137, %133
  br i1 %149, label %136, label %134, !llvm.loop !190

151:                                              ; preds = %136, %172
  %152 = phi i64 [ %178, %172 ], [ %138, %136 ]
  %153 = phi i64 [ %173, %172 ], [ %143, %136 ]
  %154 = phi i64 [ %174, %172 ], [ %138, %136 ]
  %155 = icmp slt i64 %154, %143
  br i1 %155, label %158, label %156

156:                                              ; preds = %151
  %157 = add nsw i64 %153, 1
  br label %172

158:                                              ; preds = %151
  %159 = icmp eq i64 %153, %145
  br i1 %159, label %160, label %162

160:                                              ; preds = %158
  %161 = add nsw i64 %154, 1
  br label %172

162:                                              ; preds = %158
  %163 = getelementptr inbounds %struct.Element, ptr %130, i64 %154
  %164 = load i64, ptr %163, align 8, !tbaa !191
  %165 = getelementptr inbounds %struct.Element, ptr %130, i64 %153
  %166 = load i64, ptr %165, align 8, !tbaa !191
  %167 = icmp ule i64 %164, %166
  %168 = freeze i1 %167
  %169 = add nsw i64 %154, 1
  br i1 %168, label %172, label %170

170:                                              ; preds = %162
  %171 = add nsw i64 %153, 1
  br label %172

172:                                              ; preds = %170, %162, %160, %156
  %173 = phi i64 [ %171, %170 ], [ %145, %160 ], [ %157, %156 ], [ %153, %162 ]
  %174 = phi i64 [ %154, %170 ], [ %161, %160 ], [ %154, %156 ], [ %169, %162 ]
  %175 = phi i64 [ %153, %170 ], [ %154, %160 ], [ %153, %156 ], [ %154, %162 ]
  %176 = getelementptr inbounds %struct.Element, ptr %131, i64 %152
  %177 = getelementptr inbounds %struct.Element, ptr %130, i64 %175
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %176, ptr noundef nonnull align 8 dereferenceable(16) %177, i64 16, i1 false), !tbaa.struct !193
  %178 = add nsw i64 %152, 1
  %179 = icmp eq i64 %178, %141
  br i1 %179, label %147, label %151, !llvm.loop !194

180:                                              ; preds = %134, %98, %128
  %181 = phi ptr [ %56, %128 ], [ %56, %98 ], [ %131, %134 ]
  br i1 %93, label %217, label %214

182:                                              ; preds = %108, %207
  %183 = phi i64 [ 0, %108 ], [ %212, %207 ]
  %184 = mul nsw i64 %183, %46
  %185 = add nsw i64 %184, %106
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  store i64 0, ptr %5, align 8, !tbaa !18
  %186 = mul nsw i64 %185, %87
  %187 = getelementptr inbounds i8, ptr %109, i64 %186
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 8 %5, ptr readonly align 1 %187, i64 %87, i1 false)
  %188 = load i64, ptr %5, align 8, !tbaa !18
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  switch i8 %117, label %189 [
    i8 4, label %192
    i8 2, label %191
  ]

189:                                              ; preds = %182
  %190 = xor i64 %123, %188
  br label %207

191:                                              ; preds = %182
  br label %192

192:                                              ; preds = %191, %182
  %193 = phi i64 [ 7, %182 ], [ %127, %191 ]
  %194 = shl nsw i64 -1, %193
  %195 = and i64 %194, %115
  %196 = and i64 %188, %121
  %197 = icmp ugt i64 %196, %195
  br i1 %197, label %207, label %198

198:                                              ; preds = %192
  %199 = icmp eq i64 %188, %114
  %200 = select i1 %199, i64 0, i64 %188
  %201 = and i64 %200, %114
  %202 = icmp eq i64 %201, 0
  %203 = xor i64 %200, -1
  %204 = and i64 %116, %203
  %205 = or i64 %200, %114
  %206 = select i1 %202, i64 %205, i64 %204
  br label %207

207:                                              ; preds = %189, %192, %198
  %208 = phi i64 [ %190, %189 ], [ %206, %198 ], [ %116, %192 ]
  %209 = getelementptr inbounds nuw %struct.Element, ptr %56, i64 %183
  %210 = xor i64 %208, %126
  store i64 %210, ptr %209, align 8, !tbaa !18
  %211 = getelementptr inbounds nuw i8, ptr %209, i64 8
  store i64 %183, ptr %211, align 8, !tbaa !18
  %212 = add nuw nsw i64 %183, 1
  %213 = icmp eq i64 %212, %51
  br i1 %213, label %128, label %182, !llvm.loop !195

214:                                              ; preds = %245, %180
  %215 = add nuw nsw i64 %99, 1
  %216 = icmp eq i64 %215, %47
  br i1 %216, label %97, label %98, !llvm.loop !196

217:                                              ; preds = %180, %245
  %218 = phi i64 [ %246, %245 ], [ 0, %180 ]
  %219 = getelementptr inbounds nuw %struct.Element, ptr %181, i64 %218
  %220 = getelementptr inbounds nuw i8, ptr %219, i64 8
  %221 = load i64, ptr %220, align 8, !tbaa !197
  %222 = mul nsw i64 %221, %46
  %223 = add nsw i64 %222, %106
  %224 = add i64 %218, %107
  %225 = mul i64 %224, %46
  %226 = add i64 %225, %105
  br i1 %94, label %237, label %227

227:                                              ; preds = %217
  %228 = load i8, ptr %95, align 1, !tbaa !186
  %229 = icmp eq i8 %228, 64
  br i1 %229, label %230, label %233

230:                                              ; preds = %227
  %231 = load ptr, ptr %28, align 8, !tbaa !187
  %232 = getelementptr inbounds i64, ptr %231, i64 %226
  store i64 %221, ptr %232, align 8, !tbaa !18
  br label %237

233:                                              ; preds = %227
  %234 = trunc i64 %221 to i32
  %235 = load ptr, ptr %28, align 8, !tbaa !187
  %236 = getelementptr inbounds i32, ptr %235, i64 %226
  store i32 %234, ptr %236, align 4, !tbaa !6
  br label %237

237:                                              ; preds = %233, %230, %217
  br i1 %96, label %245, label %238

238:                                              ; preds = %237
  %239 = load ptr, ptr %18, align 8, !tbaa !187
  %240 = mul nsw i64 %226, %87
  %241 = getelementptr inbounds i8, ptr %239, i64 %240
  %242 = load ptr, ptr %11, align 8, !tbaa !187
  %243 = mul nsw i64 %223, %87
  %244 = getelementptr inbounds i8, ptr %242, i64 %243
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %241, ptr align 1 %244, i64 %87, i1 false)
  br label %245

245:                                              ; preds = %238, %237
  %246 = add nuw nsw i64 %218, 1
  %247 = icmp eq i64 %246, %92
  br i1 %247, label %214, label %217, !llvm.loop !198

248:                                              ; preds = %97, %77
  %249 = phi i32 [ 0, %97 ], [ -1, %77 ]
  ret i32 %249
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: read)
declare i64 @strlen(ptr noundef captures(none)) local_unnamed_addr #22

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umax.i32(i32, i32) #23

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #23

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #23

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #23

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #23

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i64> @llvm.fshl.v4i64(<4 x i64>, <4 x i64>, <4 x i64>) #23

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.abs.i64(i64, i1 immarg) #24

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #23

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umax.i64(i64, i64) #23

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #1 = { nounwind uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #6 = { nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #7 = { nofree norecurse nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #8 = { mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #9 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #10 = { nofree nounwind uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #11 = { mustprogress nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #12 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #13 = { nounwind "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #14 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #15 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #16 = { noreturn nounwind uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #17 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #18 = { nofree "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #19 = { mustprogress nocallback nofree nounwind willreturn "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #20 = { mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #21 = { nofree nounwind "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #22 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: read) "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #23 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #24 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #25 = { nounwind }
attributes #26 = { nounwind allocsize(0) }
attributes #27 = { nounwind willreturn memory(read) }
attributes #28 = { nounwind allocsize(0,1) }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}
!llvm.errno.tbaa = !{!6}

!0 = !{i32 7, !"Dwarf Version", i32 4}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 4}
!5 = !{!"clang version 22.1.8"}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
!10 = !{!8, !8, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"any pointer", !8, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 omnipotent char", !12, i64 0}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.mustprogress"}
!17 = distinct !{!17, !16}
!18 = !{!19, !19, i64 0}
!19 = !{!"long", !8, i64 0}
!20 = !{!21, !7, i64 0}
!21 = !{!"", !7, i64 0, !7, i64 4, !8, i64 8}
!22 = !{!23, !7, i64 8}
!23 = !{!"", !14, i64 0, !7, i64 8, !7, i64 12, !7, i64 16, !7, i64 20, !24, i64 24, !24, i64 32, !19, i64 40}
!24 = !{!"p1 long", !12, i64 0}
!25 = !{!23, !7, i64 12}
!26 = !{!23, !7, i64 20}
!27 = !{!23, !7, i64 16}
!28 = !{!23, !24, i64 24}
!29 = !{!23, !24, i64 32}
!30 = distinct !{!30, !16}
!31 = !{!23, !14, i64 0}
!32 = !{!23, !19, i64 40}
!33 = distinct !{!33, !16}
!34 = distinct !{!34, !16}
!35 = !{!36, !19, i64 8}
!36 = !{!"", !12, i64 0, !19, i64 8}
!37 = !{!36, !12, i64 0}
!38 = !{i64 0, i64 4, !6, i64 4, i64 4, !6, i64 8, i64 8, !10}
!39 = !{!40, !12, i64 64}
!40 = !{!"", !12, i64 0, !12, i64 8, !12, i64 16, !12, i64 24, !12, i64 32, !12, i64 40, !12, i64 48, !12, i64 56, !12, i64 64, !12, i64 72, !12, i64 80, !12, i64 88}
!41 = !{!42, !19, i64 32}
!42 = !{!"", !14, i64 0, !12, i64 8, !19, i64 16, !12, i64 24, !19, i64 32, !19, i64 40, !19, i64 48, !19, i64 56, !12, i64 64, !12, i64 72, !12, i64 80, !24, i64 88}
!43 = !{!42, !19, i64 48}
!44 = !{!40, !12, i64 24}
!45 = !{!42, !12, i64 64}
!46 = !{!47, !19, i64 0}
!47 = !{!"", !19, i64 0, !23, i64 8, !12, i64 56}
!48 = !{!40, !12, i64 32}
!49 = !{!40, !12, i64 0}
!50 = !{!40, !12, i64 88}
!51 = distinct !{!51, !16}
!52 = distinct !{!52, !16}
!53 = !{!42, !19, i64 40}
!54 = !{!42, !12, i64 72}
!55 = !{!56, !19, i64 0}
!56 = !{!"", !19, i64 0, !12, i64 8, !19, i64 16, !14, i64 24}
!57 = !{!56, !12, i64 8}
!58 = !{!40, !12, i64 8}
!59 = !{!56, !14, i64 24}
!60 = !{!56, !19, i64 16}
!61 = distinct !{!61, !16}
!62 = !{!40, !12, i64 56}
!63 = !{!40, !12, i64 16}
!64 = !{!42, !12, i64 80}
!65 = !{!66, !12, i64 0}
!66 = !{!"", !12, i64 0, !12, i64 8}
!67 = distinct !{!67, !16}
!68 = !{!66, !12, i64 8}
!69 = distinct !{!69, !16}
!70 = !{!47, !12, i64 56}
!71 = distinct !{!71, !16}
!72 = !{!42, !12, i64 24}
!73 = !{!42, !14, i64 0}
!74 = !{!42, !12, i64 8}
!75 = !{!42, !19, i64 16}
!76 = !{!40, !12, i64 40}
!77 = !{!42, !19, i64 56}
!78 = !{!42, !24, i64 88}
!79 = !{!40, !12, i64 72}
!80 = !{!40, !12, i64 48}
!81 = !{!40, !12, i64 80}
!82 = distinct !{!82, !16}
!83 = !{!84, !12, i64 32}
!84 = !{!"", !19, i64 0, !19, i64 8, !19, i64 16, !12, i64 24, !12, i64 32}
!85 = !{!84, !19, i64 8}
!86 = !{!84, !19, i64 0}
!87 = !{!84, !12, i64 24}
!88 = !{!89, !19, i64 16}
!89 = !{!"", !12, i64 0, !14, i64 8, !19, i64 16}
!90 = distinct !{!90, !16}
!91 = !{!89, !14, i64 8}
!92 = !{!93}
!93 = distinct !{!93, !94, !"joined_at: argument 0"}
!94 = distinct !{!94, !"joined_at"}
!95 = !{!96, !93}
!96 = distinct !{!96, !97, !"joined: argument 0"}
!97 = distinct !{!97, !"joined"}
!98 = distinct !{!98, !16}
!99 = !{!100, !93}
!100 = distinct !{!100, !101, !"joined: argument 0"}
!101 = distinct !{!101, !"joined"}
!102 = distinct !{!102, !16}
!103 = !{!84, !19, i64 16}
!104 = distinct !{!104, !16}
!105 = !{!89, !12, i64 0}
!106 = !{!107}
!107 = distinct !{!107, !108, !"joined_at: argument 0"}
!108 = distinct !{!108, !"joined_at"}
!109 = !{!110, !107}
!110 = distinct !{!110, !111, !"joined: argument 0"}
!111 = distinct !{!111, !"joined"}
!112 = !{!113, !107}
!113 = distinct !{!113, !114, !"joined: argument 0"}
!114 = distinct !{!114, !"joined"}
!115 = distinct !{!115, !16}
!116 = distinct !{!116, !16}
!117 = distinct !{!117, !16}
!118 = !{!24, !24, i64 0}
!119 = !{!120, !12, i64 16}
!120 = !{!"", !19, i64 0, !7, i64 8, !7, i64 12, !12, i64 16}
!121 = distinct !{!121, !16}
!122 = distinct !{!122, !16}
!123 = !{!21, !7, i64 4}
!124 = distinct !{!124, !16}
!125 = distinct !{!125, !16}
!126 = distinct !{!126, !16}
!127 = distinct !{!127, !16}
!128 = !{!120, !19, i64 0}
!129 = !{!120, !7, i64 8}
!130 = !{!120, !7, i64 12}
!131 = distinct !{!131, !16}
!132 = distinct !{!132, !16}
!133 = !{!134, !12, i64 0}
!134 = !{!"", !12, i64 0, !14, i64 8}
!135 = !{!134, !14, i64 8}
!136 = distinct !{!136, !16}
!137 = distinct !{!137, !16}
!138 = distinct !{!138, !16}
!139 = !{!140, !24, i64 192}
!140 = !{!"", !7, i64 0, !7, i64 4, !8, i64 8, !8, i64 56, !8, i64 104, !141, i64 152, !8, i64 160, !7, i64 164, !7, i64 168, !8, i64 172, !8, i64 176, !8, i64 184, !24, i64 192, !19, i64 200, !7, i64 208, !8, i64 216}
!141 = !{!"p1 _ZTS3Job", !12, i64 0}
!142 = !{!140, !19, i64 200}
!143 = !{!140, !7, i64 208}
!144 = !{!140, !7, i64 0}
!145 = !{!140, !7, i64 4}
!146 = !{!147, !12, i64 0}
!147 = !{!"", !12, i64 0, !7, i64 8}
!148 = !{!147, !7, i64 8}
!149 = !{!150, !19, i64 0}
!150 = !{!"timespec", !19, i64 0, !19, i64 8}
!151 = !{!150, !19, i64 8}
!152 = distinct !{!152, !16}
!153 = distinct !{!153, !16}
!154 = !{!155, !12, i64 0}
!155 = !{!"Job", !12, i64 0, !12, i64 8, !147, i64 16, !141, i64 32, !8, i64 40, !8, i64 44, !8, i64 48, !7, i64 56, !8, i64 64}
!156 = !{!155, !12, i64 8}
!157 = !{!155, !7, i64 24}
!158 = distinct !{!158, !16}
!159 = !{!155, !7, i64 56}
!160 = !{!140, !7, i64 164}
!161 = distinct !{!161, !16}
!162 = !{!140, !141, i64 152}
!163 = !{!155, !141, i64 32}
!164 = !{!140, !7, i64 168}
!165 = !{!141, !141, i64 0}
!166 = distinct !{!166, !16}
!167 = !{i64 166839}
!168 = distinct !{!168, !16}
!169 = distinct !{!169, !16}
!170 = !{!171, !7, i64 4}
!171 = !{!"", !8, i64 0, !7, i64 4}
!172 = distinct !{!172, !16}
!173 = distinct !{!173, !16}
!174 = distinct !{!174, !16}
!175 = distinct !{!175, !16}
!176 = distinct !{!176, !16}
!177 = distinct !{!177, !16}
!178 = distinct !{!178, !16}
!179 = distinct !{!179, !16}
!180 = distinct !{!180, !16}
!181 = !{!182, !7, i64 16}
!182 = !{!"", !12, i64 0, !7, i64 8, !7, i64 12, !7, i64 16, !8, i64 20, !8, i64 21, !183, i64 22, !24, i64 24, !24, i64 32, !19, i64 40}
!183 = !{!"short", !8, i64 0}
!184 = !{!182, !24, i64 24}
!185 = distinct !{!185, !16}
!186 = !{!182, !8, i64 21}
!187 = !{!182, !12, i64 0}
!188 = !{!182, !8, i64 20}
!189 = distinct !{!189, !16}
!190 = distinct !{!190, !16}
!191 = !{!192, !19, i64 0}
!192 = !{!"", !19, i64 0, !19, i64 8}
!193 = !{i64 0, i64 8, !18, i64 8, i64 8, !18}
!194 = distinct !{!194, !16}
!195 = distinct !{!195, !16}
!196 = distinct !{!196, !16}
!197 = !{!192, !19, i64 8}
!198 = distinct !{!198, !16}
