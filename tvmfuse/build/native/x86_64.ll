; Made by .ci/native from the C files whose SHA-256 is 1b132d9e61f4e37f3879cb54a9b31d143eb8ab2094c707e9d65345be0f2a5fd6
; ModuleID = 'native.c'
source_filename = "native.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.17.0"

%struct.anon = type { ptr, ptr, ptr }
%struct.Any = type { i32, i32, %union.anon }
%union.anon = type { i64 }
%struct.timespec = type { i64, i64 }
%struct.__sigset_t = type { [16 x i64] }
%struct.Group = type { ptr, i32 }
%struct.Job = type { ptr, ptr, %struct.Group, ptr, i32, i32, i32, [12 x i8], [64 x %struct.Share] }
%struct.Share = type { i32, i32, [56 x i8] }

@once = internal global i32 0, align 4
@launcher = internal constant %struct.anon { ptr @install, ptr @make_pool, ptr @use }, align 8
@__TVMFFIErrorSetRaisedFromCStr = weak local_unnamed_addr global ptr null, align 8
@chosen = internal global i32 0, align 4
@tvm = internal unnamed_addr global ptr null, align 8
@.str = private unnamed_addr constant [13 x i8] c"RuntimeError\00", align 1
@.str.1 = private unnamed_addr constant [34 x i8] c"a piece of a parallel loop failed\00", align 1
@.str.2 = private unnamed_addr constant [8 x i8] c"tvmfuse\00", align 1
@.str.3 = private unnamed_addr constant [28 x i8] c"/proc/thread-self/schedstat\00", align 1

; Function Attrs: nounwind uwtable
define noundef i32 @__tvm_ffi_tvmfuse_launcher(ptr noundef readnone captures(none) %0, ptr noundef readnone captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #0 {
  %5 = tail call i32 @pthread_once(ptr noundef nonnull @once, ptr noundef nonnull @make_key) #11
  store i32 1, ptr %3, align 8, !tbaa !6
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %6, align 4, !tbaa !6
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 ptrtoint (ptr @launcher to i64), ptr %7, align 8, !tbaa !10
  ret i32 0
}

declare i32 @pthread_once(ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: nounwind uwtable
define internal void @make_key() #0 {
  %1 = tail call i32 @pthread_key_create(ptr noundef nonnull @chosen, ptr noundef null) #11
  ret void
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_alike(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) %3) local_unnamed_addr #2 {
  %5 = icmp sgt i32 %2, 1
  br i1 %5, label %6, label %110

6:                                                ; preds = %4
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %8 = load ptr, ptr %7, align 8, !tbaa !10
  %9 = zext nneg i32 %2 to i64
  br label %10

10:                                               ; preds = %6, %90
  %11 = phi i64 [ 1, %6 ], [ %92, %90 ]
  %12 = phi ptr [ %8, %6 ], [ %91, %90 ]
  %13 = getelementptr inbounds nuw %struct.Any, ptr %1, i64 %11
  %14 = load i32, ptr %13, align 8, !tbaa !11
  switch i32 %14, label %96 [
    i32 7, label %19
    i32 70, label %15
  ]

15:                                               ; preds = %10
  %16 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %17 = load ptr, ptr %16, align 8, !tbaa !10
  %18 = getelementptr inbounds nuw i8, ptr %17, i64 24
  br label %23

19:                                               ; preds = %10
  %20 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %21 = load ptr, ptr %20, align 8, !tbaa !10
  %22 = icmp eq ptr %21, null
  br i1 %22, label %108, label %23

23:                                               ; preds = %15, %19
  %24 = phi ptr [ %18, %15 ], [ %21, %19 ]
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %26 = load i32, ptr %25, align 8, !tbaa !13
  %27 = sext i32 %26 to i64
  %28 = load i64, ptr %12, align 8, !tbaa !19
  %29 = icmp eq i64 %28, %27
  br i1 %29, label %30, label %100

30:                                               ; preds = %23
  %31 = getelementptr inbounds nuw i8, ptr %24, i64 12
  %32 = load i32, ptr %31, align 4, !tbaa !20
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %35 = load i64, ptr %34, align 8, !tbaa !19
  %36 = icmp eq i64 %35, %33
  br i1 %36, label %37, label %102

37:                                               ; preds = %30
  %38 = getelementptr inbounds nuw i8, ptr %24, i64 20
  %39 = load i32, ptr %38, align 4, !tbaa !21
  %40 = zext i32 %39 to i64
  %41 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %42 = load i64, ptr %41, align 8, !tbaa !19
  %43 = icmp eq i64 %42, %40
  br i1 %43, label %44, label %104

44:                                               ; preds = %37
  %45 = getelementptr inbounds nuw i8, ptr %24, i64 16
  %46 = load i32, ptr %45, align 8, !tbaa !22
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds nuw i8, ptr %12, i64 24
  %49 = load i64, ptr %48, align 8, !tbaa !19
  %50 = icmp eq i64 %49, %47
  br i1 %50, label %51, label %106

51:                                               ; preds = %44
  %52 = getelementptr inbounds nuw i8, ptr %12, i64 32
  %53 = icmp slt i32 %46, 1
  br i1 %53, label %80, label %54

54:                                               ; preds = %51
  %55 = getelementptr inbounds nuw i8, ptr %24, i64 24
  %56 = load ptr, ptr %55, align 8, !tbaa !23
  %57 = getelementptr inbounds nuw i8, ptr %24, i64 32
  %58 = zext nneg i32 %46 to i64
  br label %59

59:                                               ; preds = %77, %54
  %60 = phi i64 [ %58, %54 ], [ %62, %77 ]
  %61 = phi i64 [ 1, %54 ], [ %78, %77 ]
  %62 = add nsw i64 %60, -1
  %63 = getelementptr inbounds nuw i64, ptr %56, i64 %62
  %64 = load i64, ptr %63, align 8, !tbaa !19
  %65 = getelementptr inbounds nuw i64, ptr %52, i64 %62
  %66 = load i64, ptr %65, align 8, !tbaa !19
  %67 = icmp eq i64 %64, %66
  br i1 %67, label %68, label %94

68:                                               ; preds = %59
  %69 = load ptr, ptr %57, align 8, !tbaa !24
  %70 = icmp eq ptr %69, null
  %71 = icmp eq i64 %64, 1
  %72 = or i1 %71, %70
  br i1 %72, label %77, label %73

73:                                               ; preds = %68
  %74 = getelementptr inbounds nuw i64, ptr %69, i64 %62
  %75 = load i64, ptr %74, align 8, !tbaa !19
  %76 = icmp eq i64 %75, %61
  br i1 %76, label %77, label %94

77:                                               ; preds = %73, %68
  %78 = mul nsw i64 %64, %61
  %79 = icmp samesign ult i64 %60, 2
  br i1 %79, label %80, label %59, !llvm.loop !25

80:                                               ; preds = %77, %51
  %81 = load ptr, ptr %24, align 8, !tbaa !27
  %82 = ptrtoint ptr %81 to i64
  %83 = getelementptr inbounds nuw i8, ptr %24, i64 40
  %84 = load i64, ptr %83, align 8, !tbaa !28
  %85 = add i64 %84, %82
  %86 = icmp ne i64 %85, 0
  %87 = and i64 %85, 63
  %88 = icmp eq i64 %87, 0
  %89 = and i1 %86, %88
  br i1 %89, label %90, label %98

90:                                               ; preds = %80
  %91 = getelementptr inbounds i64, ptr %52, i64 %47
  %92 = add nuw nsw i64 %11, 1
  %93 = icmp eq i64 %92, %9
  br i1 %93, label %110, label %10, !llvm.loop !29

94:                                               ; preds = %73, %59
  %95 = trunc nuw nsw i64 %11 to i32
  br label %110

96:                                               ; preds = %10
  %97 = trunc nuw nsw i64 %11 to i32
  br label %110

98:                                               ; preds = %80
  %99 = trunc nuw nsw i64 %11 to i32
  br label %110

100:                                              ; preds = %23
  %101 = trunc nuw nsw i64 %11 to i32
  br label %110

102:                                              ; preds = %30
  %103 = trunc nuw nsw i64 %11 to i32
  br label %110

104:                                              ; preds = %37
  %105 = trunc nuw nsw i64 %11 to i32
  br label %110

106:                                              ; preds = %44
  %107 = trunc nuw nsw i64 %11 to i32
  br label %110

108:                                              ; preds = %19
  %109 = trunc nuw nsw i64 %11 to i32
  br label %110

110:                                              ; preds = %90, %96, %98, %100, %102, %104, %106, %108, %94, %4
  %111 = phi i32 [ 1, %4 ], [ %95, %94 ], [ %109, %108 ], [ %107, %106 ], [ %105, %104 ], [ %103, %102 ], [ %101, %100 ], [ %99, %98 ], [ %97, %96 ], [ %2, %90 ]
  %112 = add nsw i32 %111, -1
  %113 = sext i32 %112 to i64
  store i32 1, ptr %3, align 8, !tbaa !6
  %114 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 0, ptr %114, align 4, !tbaa !6
  %115 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 %113, ptr %115, align 8, !tbaa !10
  ret i32 0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #3

; Function Attrs: nounwind
declare i32 @pthread_key_create(ptr noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define internal noundef nonnull ptr @install(ptr noundef %0) #5 {
  store ptr %0, ptr @tvm, align 8, !tbaa !30
  ret ptr @launch
}

; Function Attrs: nounwind uwtable
define internal noundef ptr @make_pool(i32 noundef %0, i32 noundef %1) #0 {
  %3 = tail call noalias dereferenceable_or_null(184) ptr @calloc(i64 noundef 1, i64 noundef 184) #14
  %4 = icmp eq ptr %3, null
  br i1 %4, label %14, label %5

5:                                                ; preds = %2
  store i32 %0, ptr %3, align 8, !tbaa !31
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 %1, ptr %6, align 4, !tbaa !34
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %8 = tail call i32 @pthread_mutex_init(ptr noundef nonnull %7, ptr noundef null) #11
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 48
  %10 = tail call i32 @pthread_cond_init(ptr noundef nonnull %9, ptr noundef null) #11
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 96
  %12 = tail call i32 @pthread_cond_init(ptr noundef nonnull %11, ptr noundef null) #11
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 176
  store i64 20000000, ptr %13, align 8, !tbaa !10
  br label %14

14:                                               ; preds = %2, %5
  ret ptr %3
}

; Function Attrs: nounwind uwtable
define internal void @use(ptr noundef %0) #0 {
  %2 = load i32, ptr @chosen, align 4, !tbaa !6
  %3 = tail call i32 @pthread_setspecific(i32 noundef %2, ptr noundef %0) #11
  ret void
}

; Function Attrs: nounwind uwtable
define internal i32 @launch(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca %struct.timespec, align 8
  %5 = alloca %struct.timespec, align 8
  %6 = alloca %struct.__sigset_t, align 8
  %7 = alloca %struct.__sigset_t, align 8
  %8 = alloca i64, align 8
  %9 = alloca %struct.Group, align 8
  %10 = alloca %struct.Job, align 64
  %11 = load i32, ptr @chosen, align 4, !tbaa !6
  %12 = tail call ptr @pthread_getspecific(i32 noundef %11) #11
  %13 = icmp eq ptr %12, null
  br i1 %13, label %14, label %17

14:                                               ; preds = %3
  %15 = load ptr, ptr @tvm, align 8, !tbaa !30
  %16 = tail call i32 %15(ptr noundef %0, ptr noundef %1, i32 noundef %2) #11
  br label %267

17:                                               ; preds = %3
  %18 = load i32, ptr %12, align 8, !tbaa !31
  %19 = icmp eq i32 %18, 1
  %20 = icmp eq i32 %2, 1
  %21 = or i1 %20, %19
  br i1 %21, label %22, label %37

22:                                               ; preds = %17
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #11
  store ptr null, ptr %9, align 8, !tbaa !35
  %23 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %24 = tail call i32 @llvm.umax.i32(i32 %2, i32 1)
  store i32 %24, ptr %23, align 8, !tbaa !37
  %25 = getelementptr inbounds nuw i8, ptr %9, i64 12
  store i32 0, ptr %25, align 4
  %26 = icmp sgt i32 %24, 0
  br i1 %26, label %31, label %35

27:                                               ; preds = %31
  %28 = add nuw nsw i32 %32, 1
  %29 = load i32, ptr %23, align 8, !tbaa !37
  %30 = icmp slt i32 %28, %29
  br i1 %30, label %31, label %35, !llvm.loop !38

31:                                               ; preds = %22, %27
  %32 = phi i32 [ %28, %27 ], [ 0, %22 ]
  %33 = call i32 %0(i32 noundef %32, ptr noundef nonnull %9, ptr noundef %1) #11
  %34 = icmp eq i32 %33, 0
  br i1 %34, label %27, label %35

35:                                               ; preds = %31, %27, %22
  %36 = phi i32 [ 0, %22 ], [ 0, %27 ], [ %33, %31 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #11
  br label %267

37:                                               ; preds = %17
  call void @llvm.lifetime.start.p0(ptr nonnull %10) #11
  store ptr %0, ptr %10, align 64, !tbaa !39
  %38 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store ptr %1, ptr %38, align 8, !tbaa !41
  %39 = getelementptr inbounds nuw i8, ptr %10, i64 16
  %40 = icmp eq i32 %2, 0
  %41 = shl nsw i32 %18, 4
  %42 = select i1 %40, i32 %41, i32 %2
  store ptr null, ptr %39, align 16, !tbaa !30
  %43 = getelementptr inbounds nuw i8, ptr %10, i64 24
  store i32 %42, ptr %43, align 8, !tbaa !6
  %44 = getelementptr inbounds nuw i8, ptr %10, i64 28
  store i32 0, ptr %44, align 4
  %45 = tail call i32 @llvm.smin.i32(i32 %18, i32 64)
  %46 = getelementptr inbounds nuw i8, ptr %10, i64 48
  store i32 %45, ptr %46, align 16, !tbaa !42
  %47 = getelementptr inbounds nuw i8, ptr %10, i64 40
  store i32 0, ptr %47, align 8, !tbaa !10
  %48 = getelementptr inbounds nuw i8, ptr %10, i64 44
  store i32 0, ptr %48, align 4, !tbaa !10
  %49 = sext i32 %45 to i64
  %50 = icmp sgt i32 %18, 0
  br i1 %50, label %51, label %54

51:                                               ; preds = %37
  %52 = getelementptr inbounds nuw i8, ptr %10, i64 64
  %53 = sext i32 %42 to i64
  br label %249

54:                                               ; preds = %249, %37
  %55 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %56 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull %55) #11
  %57 = getelementptr inbounds nuw i8, ptr %12, i64 156
  %58 = load i32, ptr %57, align 4, !tbaa !43
  %59 = load i32, ptr %12, align 8, !tbaa !31
  %60 = add nsw i32 %59, -1
  %61 = icmp slt i32 %58, %60
  br i1 %61, label %62, label %95

62:                                               ; preds = %54
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #11
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #11
  %63 = call i32 @sigfillset(ptr noundef nonnull %6) #11
  %64 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %6, ptr noundef nonnull %7) #11
  %65 = load i32, ptr %57, align 4, !tbaa !43
  %66 = load i32, ptr %12, align 8, !tbaa !31
  %67 = add nsw i32 %66, -1
  %68 = icmp slt i32 %65, %67
  br i1 %68, label %69, label %91

69:                                               ; preds = %62, %81
  %70 = phi i32 [ %87, %81 ], [ %65, %62 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #11
  %71 = call noalias dereferenceable_or_null(16) ptr @malloc(i64 noundef 16) #15
  %72 = icmp eq ptr %71, null
  br i1 %72, label %80, label %73

73:                                               ; preds = %69
  %74 = add nsw i32 %70, 1
  store ptr %12, ptr %71, align 8, !tbaa !30
  %75 = getelementptr inbounds nuw i8, ptr %71, i64 8
  store i32 %74, ptr %75, align 8, !tbaa !6
  %76 = getelementptr inbounds nuw i8, ptr %71, i64 12
  store i32 0, ptr %76, align 4
  %77 = call i32 @pthread_create(ptr noundef nonnull %8, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull %71) #11
  %78 = icmp eq i32 %77, 0
  br i1 %78, label %81, label %79

79:                                               ; preds = %73
  call void @free(ptr noundef nonnull %71) #11
  br label %80

80:                                               ; preds = %69, %79
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #11
  br label %91

81:                                               ; preds = %73
  %82 = load i64, ptr %8, align 8, !tbaa !19
  %83 = call i32 @pthread_setname_np(i64 noundef %82, ptr noundef nonnull @.str.2) #11
  %84 = load i64, ptr %8, align 8, !tbaa !19
  %85 = call i32 @pthread_detach(i64 noundef %84) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #11
  %86 = load i32, ptr %57, align 4, !tbaa !43
  %87 = add nsw i32 %86, 1
  store i32 %87, ptr %57, align 4, !tbaa !43
  %88 = load i32, ptr %12, align 8, !tbaa !31
  %89 = add nsw i32 %88, -1
  %90 = icmp slt i32 %87, %89
  br i1 %90, label %69, label %91, !llvm.loop !44

91:                                               ; preds = %81, %80, %62
  %92 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %7, ptr noundef null) #11
  %93 = load i32, ptr %57, align 4, !tbaa !43
  %94 = add nsw i32 %93, 1
  store i32 %94, ptr %12, align 8, !tbaa !31
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #11
  br label %95

95:                                               ; preds = %91, %54
  %96 = getelementptr inbounds nuw i8, ptr %12, i64 144
  %97 = load ptr, ptr %96, align 8, !tbaa !45
  %98 = getelementptr inbounds nuw i8, ptr %10, i64 32
  store ptr %97, ptr %98, align 32, !tbaa !46
  store ptr %10, ptr %96, align 8, !tbaa !45
  %99 = getelementptr inbounds nuw i8, ptr %12, i64 152
  %100 = atomicrmw add ptr %99, i32 1 seq_cst, align 8
  %101 = getelementptr inbounds nuw i8, ptr %12, i64 160
  %102 = load i32, ptr %101, align 8, !tbaa !47
  %103 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %55) #11
  %104 = icmp eq i32 %102, 0
  br i1 %104, label %108, label %105

105:                                              ; preds = %95
  %106 = getelementptr inbounds nuw i8, ptr %12, i64 48
  %107 = call i32 @pthread_cond_broadcast(ptr noundef nonnull %106) #11
  br label %108

108:                                              ; preds = %95, %105
  %109 = load i32, ptr %46, align 16, !tbaa !42
  %110 = icmp sgt i32 %109, 0
  br i1 %110, label %111, label %143

111:                                              ; preds = %108
  %112 = getelementptr inbounds nuw i8, ptr %10, i64 64
  br label %113

113:                                              ; preds = %139, %111
  %114 = phi i32 [ %109, %111 ], [ %140, %139 ]
  %115 = phi i32 [ 0, %111 ], [ %141, %139 ]
  %116 = srem i32 %115, %114
  %117 = zext nneg i32 %116 to i64
  %118 = getelementptr inbounds nuw %struct.Share, ptr %112, i64 %117
  %119 = getelementptr inbounds nuw i8, ptr %118, i64 4
  %120 = load atomic i32, ptr %118 monotonic, align 64
  %121 = load i32, ptr %119, align 4, !tbaa !48
  %122 = icmp slt i32 %120, %121
  br i1 %122, label %123, label %139

123:                                              ; preds = %113, %133
  %124 = atomicrmw add ptr %118, i32 1 seq_cst, align 64
  %125 = load i32, ptr %119, align 4, !tbaa !48
  %126 = icmp slt i32 %124, %125
  br i1 %126, label %127, label %133

127:                                              ; preds = %123
  %128 = load ptr, ptr %10, align 64, !tbaa !39
  %129 = load ptr, ptr %38, align 8, !tbaa !41
  %130 = call i32 %128(i32 noundef %124, ptr noundef nonnull %39, ptr noundef %129) #11
  %131 = icmp eq i32 %130, 0
  br i1 %131, label %133, label %132

132:                                              ; preds = %127
  store atomic i32 1, ptr %48 seq_cst, align 4
  br label %133

133:                                              ; preds = %132, %127, %123
  %134 = load atomic i32, ptr %118 monotonic, align 64
  %135 = load i32, ptr %119, align 4, !tbaa !48
  %136 = icmp slt i32 %134, %135
  br i1 %136, label %123, label %137, !llvm.loop !50

137:                                              ; preds = %133
  %138 = load i32, ptr %46, align 16, !tbaa !42
  br label %139

139:                                              ; preds = %137, %113
  %140 = phi i32 [ %138, %137 ], [ %114, %113 ]
  %141 = add nuw nsw i32 %115, 1
  %142 = icmp slt i32 %141, %140
  br i1 %142, label %113, label %143, !llvm.loop !51

143:                                              ; preds = %139, %108
  %144 = call i32 @pthread_mutex_lock(ptr noundef nonnull %55) #11
  br label %145

145:                                              ; preds = %145, %143
  %146 = phi ptr [ %96, %143 ], [ %149, %145 ]
  %147 = load ptr, ptr %146, align 8, !tbaa !52
  %148 = icmp eq ptr %147, %10
  %149 = getelementptr inbounds nuw i8, ptr %147, i64 32
  br i1 %148, label %150, label %145, !llvm.loop !53

150:                                              ; preds = %145
  %151 = load ptr, ptr %98, align 32, !tbaa !46
  store ptr %151, ptr %146, align 8, !tbaa !52
  %152 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %55) #11
  %153 = load atomic i32, ptr %47 seq_cst, align 8
  %154 = icmp eq i32 %153, 0
  br i1 %154, label %246, label %155

155:                                              ; preds = %150
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #11
  %156 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #11
  %157 = load i64, ptr %5, align 8, !tbaa !54
  %158 = mul nsw i64 %157, 1000000000
  %159 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %160 = load i64, ptr %159, align 8, !tbaa !56
  %161 = add nsw i64 %158, %160
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #11
  %162 = getelementptr inbounds nuw i8, ptr %12, i64 4
  %163 = load i32, ptr %162, align 4, !tbaa !34
  %164 = icmp eq i32 %163, 0
  br i1 %164, label %231, label %165

165:                                              ; preds = %155
  %166 = getelementptr inbounds nuw i8, ptr %12, i64 168
  %167 = getelementptr inbounds nuw i8, ptr %4, i64 8
  br label %168

168:                                              ; preds = %223, %165
  %169 = phi i64 [ %161, %165 ], [ %228, %223 ]
  %170 = load atomic i64, ptr %166 seq_cst, align 8
  %171 = icmp slt i64 %161, %170
  %172 = sub nsw i64 %169, %161
  %173 = icmp sgt i64 %172, 49999
  %174 = select i1 %171, i1 true, i1 %173
  br i1 %174, label %231, label %175

175:                                              ; preds = %168
  %176 = load atomic i32, ptr %47 seq_cst, align 8
  %177 = icmp eq i32 %176, 0
  br i1 %177, label %246, label %178

178:                                              ; preds = %175
  call void @llvm.x86.sse2.pause()
  %179 = load atomic i32, ptr %47 seq_cst, align 8
  %180 = icmp eq i32 %179, 0
  br i1 %180, label %246, label %181

181:                                              ; preds = %178
  call void @llvm.x86.sse2.pause()
  %182 = load atomic i32, ptr %47 seq_cst, align 8
  %183 = icmp eq i32 %182, 0
  br i1 %183, label %246, label %184

184:                                              ; preds = %181
  call void @llvm.x86.sse2.pause()
  %185 = load atomic i32, ptr %47 seq_cst, align 8
  %186 = icmp eq i32 %185, 0
  br i1 %186, label %246, label %187

187:                                              ; preds = %184
  call void @llvm.x86.sse2.pause()
  %188 = load atomic i32, ptr %47 seq_cst, align 8
  %189 = icmp eq i32 %188, 0
  br i1 %189, label %246, label %190

190:                                              ; preds = %187
  call void @llvm.x86.sse2.pause()
  %191 = load atomic i32, ptr %47 seq_cst, align 8
  %192 = icmp eq i32 %191, 0
  br i1 %192, label %246, label %193

193:                                              ; preds = %190
  call void @llvm.x86.sse2.pause()
  %194 = load atomic i32, ptr %47 seq_cst, align 8
  %195 = icmp eq i32 %194, 0
  br i1 %195, label %246, label %196

196:                                              ; preds = %193
  call void @llvm.x86.sse2.pause()
  %197 = load atomic i32, ptr %47 seq_cst, align 8
  %198 = icmp eq i32 %197, 0
  br i1 %198, label %246, label %199

199:                                              ; preds = %196
  call void @llvm.x86.sse2.pause()
  %200 = load atomic i32, ptr %47 seq_cst, align 8
  %201 = icmp eq i32 %200, 0
  br i1 %201, label %246, label %202

202:                                              ; preds = %199
  call void @llvm.x86.sse2.pause()
  %203 = load atomic i32, ptr %47 seq_cst, align 8
  %204 = icmp eq i32 %203, 0
  br i1 %204, label %246, label %205

205:                                              ; preds = %202
  call void @llvm.x86.sse2.pause()
  %206 = load atomic i32, ptr %47 seq_cst, align 8
  %207 = icmp eq i32 %206, 0
  br i1 %207, label %246, label %208

208:                                              ; preds = %205
  call void @llvm.x86.sse2.pause()
  %209 = load atomic i32, ptr %47 seq_cst, align 8
  %210 = icmp eq i32 %209, 0
  br i1 %210, label %246, label %211

211:                                              ; preds = %208
  call void @llvm.x86.sse2.pause()
  %212 = load atomic i32, ptr %47 seq_cst, align 8
  %213 = icmp eq i32 %212, 0
  br i1 %213, label %246, label %214

214:                                              ; preds = %211
  call void @llvm.x86.sse2.pause()
  %215 = load atomic i32, ptr %47 seq_cst, align 8
  %216 = icmp eq i32 %215, 0
  br i1 %216, label %246, label %217

217:                                              ; preds = %214
  call void @llvm.x86.sse2.pause()
  %218 = load atomic i32, ptr %47 seq_cst, align 8
  %219 = icmp eq i32 %218, 0
  br i1 %219, label %246, label %220

220:                                              ; preds = %217
  call void @llvm.x86.sse2.pause()
  %221 = load atomic i32, ptr %47 seq_cst, align 8
  %222 = icmp eq i32 %221, 0
  br i1 %222, label %246, label %223

223:                                              ; preds = %220
  call void @llvm.x86.sse2.pause()
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #11
  %224 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #11
  %225 = load i64, ptr %4, align 8, !tbaa !54
  %226 = mul nsw i64 %225, 1000000000
  %227 = load i64, ptr %167, align 8, !tbaa !56
  %228 = add nsw i64 %226, %227
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #11
  %229 = load i32, ptr %162, align 4, !tbaa !34
  %230 = icmp eq i32 %229, 0
  br i1 %230, label %231, label %168, !llvm.loop !57

231:                                              ; preds = %223, %168, %155
  %232 = call i32 @pthread_mutex_lock(ptr noundef nonnull %55) #11
  %233 = getelementptr inbounds nuw i8, ptr %12, i64 164
  %234 = atomicrmw add ptr %233, i32 1 seq_cst, align 4
  %235 = load atomic i32, ptr %47 seq_cst, align 8
  %236 = icmp eq i32 %235, 0
  br i1 %236, label %243, label %237

237:                                              ; preds = %231
  %238 = getelementptr inbounds nuw i8, ptr %12, i64 96
  br label %239

239:                                              ; preds = %239, %237
  %240 = call i32 @pthread_cond_wait(ptr noundef nonnull %238, ptr noundef nonnull %55) #11
  %241 = load atomic i32, ptr %47 seq_cst, align 8
  %242 = icmp eq i32 %241, 0
  br i1 %242, label %243, label %239, !llvm.loop !58

243:                                              ; preds = %239, %231
  %244 = atomicrmw sub ptr %233, i32 1 seq_cst, align 4
  %245 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %55) #11
  br label %246

246:                                              ; preds = %175, %178, %181, %184, %187, %190, %193, %196, %199, %202, %205, %208, %211, %214, %217, %220, %150, %243
  %247 = load atomic i32, ptr %48 seq_cst, align 4
  %248 = icmp eq i32 %247, 0
  br i1 %248, label %265, label %261

249:                                              ; preds = %51, %249
  %250 = phi i64 [ 0, %51 ], [ %255, %249 ]
  %251 = getelementptr inbounds nuw %struct.Share, ptr %52, i64 %250
  %252 = mul nsw i64 %250, %53
  %253 = sdiv i64 %252, %49
  %254 = trunc i64 %253 to i32
  store i32 %254, ptr %251, align 64, !tbaa !10
  %255 = add nuw nsw i64 %250, 1
  %256 = mul nsw i64 %255, %53
  %257 = sdiv i64 %256, %49
  %258 = trunc i64 %257 to i32
  %259 = getelementptr inbounds nuw i8, ptr %251, i64 4
  store i32 %258, ptr %259, align 4, !tbaa !48
  %260 = icmp eq i64 %255, %49
  br i1 %260, label %54, label %249, !llvm.loop !59

261:                                              ; preds = %246
  %262 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !30
  %263 = icmp eq ptr %262, null
  br i1 %263, label %265, label %264

264:                                              ; preds = %261
  call void %262(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1) #11
  br label %265

265:                                              ; preds = %261, %264, %246
  %266 = phi i32 [ 0, %246 ], [ -1, %264 ], [ -1, %261 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #11
  br label %267

267:                                              ; preds = %265, %35, %14
  %268 = phi i32 [ %36, %35 ], [ %266, %265 ], [ %16, %14 ]
  ret i32 %268
}

; Function Attrs: nounwind
declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr #4

; Function Attrs: nounwind
declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #4

; Function Attrs: nounwind
declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #4

; Function Attrs: nounwind
declare i32 @pthread_cond_broadcast(ptr noundef) local_unnamed_addr #4

; Function Attrs: nounwind
declare i32 @sigfillset(ptr noundef) local_unnamed_addr #4

; Function Attrs: nounwind
declare i32 @pthread_sigmask(i32 noundef, ptr noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #6

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: noreturn nounwind uwtable
define internal noalias noundef nonnull ptr @work(ptr noundef captures(none) %0) #7 {
  %2 = alloca %struct.timespec, align 8
  %3 = alloca [64 x i8], align 16
  %4 = alloca ptr, align 8
  %5 = alloca %struct.timespec, align 8
  %6 = alloca [64 x i8], align 16
  %7 = alloca ptr, align 8
  %8 = alloca %struct.timespec, align 8
  %9 = load ptr, ptr %0, align 8, !tbaa !30
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %11 = load i32, ptr %10, align 8, !tbaa !6
  tail call void @free(ptr noundef %0) #11
  %12 = tail call i32 (ptr, i32, ...) @open(ptr noundef nonnull @.str.3, i32 noundef 524288) #11
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #11
  %13 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %8) #11
  %14 = load i64, ptr %8, align 8, !tbaa !54
  %15 = mul nsw i64 %14, 1000000000
  %16 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %17 = load i64, ptr %16, align 8, !tbaa !56
  %18 = add nsw i64 %15, %17
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #11
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #11
  %19 = call i64 @pread(i32 noundef %12, ptr noundef nonnull %6, i64 noundef 63, i64 noundef 0) #11
  %20 = icmp slt i64 %19, 1
  br i1 %20, label %26, label %21

21:                                               ; preds = %1
  %22 = getelementptr inbounds nuw i8, ptr %6, i64 %19
  store i8 0, ptr %22, align 1, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #11
  %23 = call i64 @strtoll(ptr noundef nonnull %6, ptr noundef nonnull %7, i32 noundef 10) #11
  %24 = load ptr, ptr %7, align 8, !tbaa !60
  %25 = call i64 @strtoll(ptr noundef captures(none) %24, ptr noundef null, i32 noundef 10) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #11
  br label %26

26:                                               ; preds = %1, %21
  %27 = phi i64 [ %25, %21 ], [ 0, %1 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #11
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

40:                                               ; preds = %249, %26
  %41 = phi i64 [ %18, %26 ], [ %250, %249 ]
  %42 = phi i64 [ %27, %26 ], [ %251, %249 ]
  br label %43

43:                                               ; preds = %115, %40
  %44 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #11
  %45 = load atomic i32, ptr %29 seq_cst, align 8
  %46 = load ptr, ptr %30, align 8, !tbaa !52
  %47 = icmp eq ptr %46, null
  br i1 %47, label %122, label %48

48:                                               ; preds = %43, %66
  %49 = phi ptr [ %68, %66 ], [ %46, %43 ]
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 64
  %51 = getelementptr inbounds nuw i8, ptr %49, i64 48
  %52 = load i32, ptr %51, align 16, !tbaa !42
  %53 = icmp sgt i32 %52, 0
  br i1 %53, label %54, label %66

54:                                               ; preds = %48
  %55 = zext nneg i32 %52 to i64
  br label %59

56:                                               ; preds = %59
  %57 = add nuw nsw i64 %60, 1
  %58 = icmp eq i64 %57, %55
  br i1 %58, label %66, label %59, !llvm.loop !61

59:                                               ; preds = %56, %54
  %60 = phi i64 [ 0, %54 ], [ %57, %56 ]
  %61 = getelementptr inbounds nuw %struct.Share, ptr %50, i64 %60
  %62 = load atomic i32, ptr %61 monotonic, align 64
  %63 = getelementptr inbounds nuw i8, ptr %61, i64 4
  %64 = load i32, ptr %63, align 4, !tbaa !48
  %65 = icmp slt i32 %62, %64
  br i1 %65, label %70, label %56

66:                                               ; preds = %56, %48
  %67 = getelementptr inbounds nuw i8, ptr %49, i64 32
  %68 = load ptr, ptr %67, align 8, !tbaa !52
  %69 = icmp eq ptr %68, null
  br i1 %69, label %122, label %48, !llvm.loop !62

70:                                               ; preds = %59
  %71 = getelementptr inbounds nuw i8, ptr %49, i64 48
  %72 = getelementptr inbounds nuw i8, ptr %49, i64 40
  %73 = atomicrmw add ptr %72, i32 1 seq_cst, align 8
  %74 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #11
  %75 = load i32, ptr %71, align 16, !tbaa !42
  %76 = icmp sgt i32 %75, 0
  br i1 %76, label %77, label %112

77:                                               ; preds = %70
  %78 = getelementptr inbounds nuw i8, ptr %49, i64 16
  %79 = getelementptr inbounds nuw i8, ptr %49, i64 8
  %80 = getelementptr inbounds nuw i8, ptr %49, i64 44
  br label %81

81:                                               ; preds = %108, %77
  %82 = phi i32 [ %75, %77 ], [ %109, %108 ]
  %83 = phi i32 [ 0, %77 ], [ %110, %108 ]
  %84 = add nsw i32 %83, %11
  %85 = srem i32 %84, %82
  %86 = sext i32 %85 to i64
  %87 = getelementptr inbounds %struct.Share, ptr %50, i64 %86
  %88 = getelementptr inbounds nuw i8, ptr %87, i64 4
  %89 = load atomic i32, ptr %87 monotonic, align 64
  %90 = load i32, ptr %88, align 4, !tbaa !48
  %91 = icmp slt i32 %89, %90
  br i1 %91, label %92, label %108

92:                                               ; preds = %81, %102
  %93 = atomicrmw add ptr %87, i32 1 seq_cst, align 64
  %94 = load i32, ptr %88, align 4, !tbaa !48
  %95 = icmp slt i32 %93, %94
  br i1 %95, label %96, label %102

96:                                               ; preds = %92
  %97 = load ptr, ptr %49, align 64, !tbaa !39
  %98 = load ptr, ptr %79, align 8, !tbaa !41
  %99 = call i32 %97(i32 noundef %93, ptr noundef nonnull %78, ptr noundef %98) #11
  %100 = icmp eq i32 %99, 0
  br i1 %100, label %102, label %101

101:                                              ; preds = %96
  store atomic i32 1, ptr %80 seq_cst, align 4
  br label %102

102:                                              ; preds = %101, %96, %92
  %103 = load atomic i32, ptr %87 monotonic, align 64
  %104 = load i32, ptr %88, align 4, !tbaa !48
  %105 = icmp slt i32 %103, %104
  br i1 %105, label %92, label %106, !llvm.loop !50

106:                                              ; preds = %102
  %107 = load i32, ptr %71, align 16, !tbaa !42
  br label %108

108:                                              ; preds = %106, %81
  %109 = phi i32 [ %107, %106 ], [ %82, %81 ]
  %110 = add nuw nsw i32 %83, 1
  %111 = icmp slt i32 %110, %109
  br i1 %111, label %81, label %112, !llvm.loop !51

112:                                              ; preds = %108, %70
  %113 = atomicrmw sub ptr %72, i32 1 seq_cst, align 8
  %114 = icmp eq i32 %113, 1
  br i1 %114, label %116, label %115

115:                                              ; preds = %112, %116
  br label %43

116:                                              ; preds = %112
  %117 = load atomic i32, ptr %31 seq_cst, align 4
  %118 = icmp eq i32 %117, 0
  br i1 %118, label %115, label %119

119:                                              ; preds = %116
  %120 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #11
  %121 = call i32 @pthread_cond_broadcast(ptr noundef nonnull %32) #11
  br label %245

122:                                              ; preds = %43, %66
  %123 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #11
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #11
  %124 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #11
  %125 = load i64, ptr %5, align 8, !tbaa !54
  %126 = mul nsw i64 %125, 1000000000
  %127 = load i64, ptr %33, align 8, !tbaa !56
  %128 = add nsw i64 %126, %127
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #11
  %129 = load i32, ptr %34, align 4, !tbaa !34
  %130 = icmp eq i32 %129, 0
  br i1 %130, label %230, label %131

131:                                              ; preds = %122, %222
  %132 = phi i64 [ %173, %222 ], [ %41, %122 ]
  %133 = phi i64 [ %174, %222 ], [ %42, %122 ]
  %134 = phi i64 [ %227, %222 ], [ %128, %122 ]
  %135 = load atomic i64, ptr %35 seq_cst, align 8
  %136 = icmp slt i64 %134, %135
  %137 = sub nsw i64 %134, %128
  %138 = icmp sgt i64 %137, 999999
  %139 = select i1 %136, i1 true, i1 %138
  br i1 %139, label %230, label %140

140:                                              ; preds = %131
  %141 = sub nsw i64 %134, %132
  %142 = icmp slt i64 %141, 20000000
  br i1 %142, label %172, label %143

143:                                              ; preds = %140
  %144 = load i32, ptr %34, align 4, !tbaa !34
  %145 = icmp eq i32 %144, 0
  br i1 %145, label %172, label %146

146:                                              ; preds = %143
  %147 = load atomic i64, ptr %35 seq_cst, align 8
  %148 = icmp slt i64 %134, %147
  br i1 %148, label %172, label %149

149:                                              ; preds = %146
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #11
  %150 = call i64 @pread(i32 noundef %12, ptr noundef nonnull %3, i64 noundef 63, i64 noundef 0) #11
  %151 = icmp slt i64 %150, 1
  br i1 %151, label %157, label %152

152:                                              ; preds = %149
  %153 = getelementptr inbounds nuw i8, ptr %3, i64 %150
  store i8 0, ptr %153, align 1, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #11
  %154 = call i64 @strtoll(ptr noundef nonnull %3, ptr noundef nonnull %4, i32 noundef 10) #11
  %155 = load ptr, ptr %4, align 8, !tbaa !60
  %156 = call i64 @strtoll(ptr noundef captures(none) %155, ptr noundef null, i32 noundef 10) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #11
  br label %157

157:                                              ; preds = %152, %149
  %158 = phi i64 [ %156, %152 ], [ 0, %149 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #11
  %159 = load atomic i64, ptr %36 seq_cst, align 8
  %160 = sub nsw i64 %158, %133
  %161 = shl nsw i64 %160, 2
  %162 = icmp sgt i64 %161, %141
  br i1 %162, label %163, label %166

163:                                              ; preds = %157
  %164 = add nsw i64 %159, %134
  store atomic i64 %164, ptr %35 seq_cst, align 8
  %165 = shl nsw i64 %159, 1
  br label %168

166:                                              ; preds = %157
  %167 = sdiv i64 %159, 2
  br label %168

168:                                              ; preds = %166, %163
  %169 = phi i64 [ %165, %163 ], [ %167, %166 ]
  %170 = call i64 @llvm.smax.i64(i64 %169, i64 20000000)
  %171 = call i64 @llvm.umin.i64(i64 %170, i64 1000000000)
  store atomic i64 %171, ptr %36 seq_cst, align 8
  br label %172

172:                                              ; preds = %168, %146, %143, %140
  %173 = phi i64 [ %132, %140 ], [ %132, %143 ], [ %132, %146 ], [ %134, %168 ]
  %174 = phi i64 [ %133, %140 ], [ %133, %143 ], [ %133, %146 ], [ %158, %168 ]
  %175 = load atomic i32, ptr %29 seq_cst, align 8
  %176 = icmp eq i32 %175, %45
  br i1 %176, label %177, label %249

177:                                              ; preds = %172
  call void @llvm.x86.sse2.pause()
  %178 = load atomic i32, ptr %29 seq_cst, align 8
  %179 = icmp eq i32 %178, %45
  br i1 %179, label %180, label %249

180:                                              ; preds = %177
  call void @llvm.x86.sse2.pause()
  %181 = load atomic i32, ptr %29 seq_cst, align 8
  %182 = icmp eq i32 %181, %45
  br i1 %182, label %183, label %249

183:                                              ; preds = %180
  call void @llvm.x86.sse2.pause()
  %184 = load atomic i32, ptr %29 seq_cst, align 8
  %185 = icmp eq i32 %184, %45
  br i1 %185, label %186, label %249

186:                                              ; preds = %183
  call void @llvm.x86.sse2.pause()
  %187 = load atomic i32, ptr %29 seq_cst, align 8
  %188 = icmp eq i32 %187, %45
  br i1 %188, label %189, label %249

189:                                              ; preds = %186
  call void @llvm.x86.sse2.pause()
  %190 = load atomic i32, ptr %29 seq_cst, align 8
  %191 = icmp eq i32 %190, %45
  br i1 %191, label %192, label %249

192:                                              ; preds = %189
  call void @llvm.x86.sse2.pause()
  %193 = load atomic i32, ptr %29 seq_cst, align 8
  %194 = icmp eq i32 %193, %45
  br i1 %194, label %195, label %249

195:                                              ; preds = %192
  call void @llvm.x86.sse2.pause()
  %196 = load atomic i32, ptr %29 seq_cst, align 8
  %197 = icmp eq i32 %196, %45
  br i1 %197, label %198, label %249

198:                                              ; preds = %195
  call void @llvm.x86.sse2.pause()
  %199 = load atomic i32, ptr %29 seq_cst, align 8
  %200 = icmp eq i32 %199, %45
  br i1 %200, label %201, label %249

201:                                              ; preds = %198
  call void @llvm.x86.sse2.pause()
  %202 = load atomic i32, ptr %29 seq_cst, align 8
  %203 = icmp eq i32 %202, %45
  br i1 %203, label %204, label %249

204:                                              ; preds = %201
  call void @llvm.x86.sse2.pause()
  %205 = load atomic i32, ptr %29 seq_cst, align 8
  %206 = icmp eq i32 %205, %45
  br i1 %206, label %207, label %249

207:                                              ; preds = %204
  call void @llvm.x86.sse2.pause()
  %208 = load atomic i32, ptr %29 seq_cst, align 8
  %209 = icmp eq i32 %208, %45
  br i1 %209, label %210, label %249

210:                                              ; preds = %207
  call void @llvm.x86.sse2.pause()
  %211 = load atomic i32, ptr %29 seq_cst, align 8
  %212 = icmp eq i32 %211, %45
  br i1 %212, label %213, label %249

213:                                              ; preds = %210
  call void @llvm.x86.sse2.pause()
  %214 = load atomic i32, ptr %29 seq_cst, align 8
  %215 = icmp eq i32 %214, %45
  br i1 %215, label %216, label %249

216:                                              ; preds = %213
  call void @llvm.x86.sse2.pause()
  %217 = load atomic i32, ptr %29 seq_cst, align 8
  %218 = icmp eq i32 %217, %45
  br i1 %218, label %219, label %249

219:                                              ; preds = %216
  call void @llvm.x86.sse2.pause()
  %220 = load atomic i32, ptr %29 seq_cst, align 8
  %221 = icmp eq i32 %220, %45
  br i1 %221, label %222, label %249

222:                                              ; preds = %219
  call void @llvm.x86.sse2.pause()
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #11
  %223 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %2) #11
  %224 = load i64, ptr %2, align 8, !tbaa !54
  %225 = mul nsw i64 %224, 1000000000
  %226 = load i64, ptr %37, align 8, !tbaa !56
  %227 = add nsw i64 %225, %226
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #11
  %228 = load i32, ptr %34, align 4, !tbaa !34
  %229 = icmp eq i32 %228, 0
  br i1 %229, label %230, label %131, !llvm.loop !63

230:                                              ; preds = %222, %131, %122
  %231 = phi i64 [ %41, %122 ], [ %173, %222 ], [ %132, %131 ]
  %232 = phi i64 [ %42, %122 ], [ %174, %222 ], [ %133, %131 ]
  %233 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #11
  %234 = load i32, ptr %38, align 8, !tbaa !47
  %235 = add nsw i32 %234, 1
  store i32 %235, ptr %38, align 8, !tbaa !47
  %236 = load atomic i32, ptr %29 seq_cst, align 8
  %237 = icmp eq i32 %236, %45
  br i1 %237, label %238, label %242

238:                                              ; preds = %230, %238
  %239 = call i32 @pthread_cond_wait(ptr noundef nonnull %39, ptr noundef nonnull %28) #11
  %240 = load atomic i32, ptr %29 seq_cst, align 8
  %241 = icmp eq i32 %240, %45
  br i1 %241, label %238, label %242, !llvm.loop !64

242:                                              ; preds = %238, %230
  %243 = load i32, ptr %38, align 8, !tbaa !47
  %244 = add nsw i32 %243, -1
  store i32 %244, ptr %38, align 8, !tbaa !47
  br label %245

245:                                              ; preds = %119, %242
  %246 = phi i64 [ %41, %119 ], [ %231, %242 ]
  %247 = phi i64 [ %42, %119 ], [ %232, %242 ]
  %248 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #11
  br label %249

249:                                              ; preds = %177, %180, %183, %186, %189, %192, %195, %198, %201, %204, %207, %210, %213, %216, %219, %172, %245
  %250 = phi i64 [ %246, %245 ], [ %173, %172 ], [ %173, %219 ], [ %173, %216 ], [ %173, %213 ], [ %173, %210 ], [ %173, %207 ], [ %173, %204 ], [ %173, %201 ], [ %173, %198 ], [ %173, %195 ], [ %173, %192 ], [ %173, %189 ], [ %173, %186 ], [ %173, %183 ], [ %173, %180 ], [ %173, %177 ]
  %251 = phi i64 [ %247, %245 ], [ %174, %172 ], [ %174, %219 ], [ %174, %216 ], [ %174, %213 ], [ %174, %210 ], [ %174, %207 ], [ %174, %204 ], [ %174, %201 ], [ %174, %198 ], [ %174, %195 ], [ %174, %192 ], [ %174, %189 ], [ %174, %186 ], [ %174, %183 ], [ %174, %180 ], [ %174, %177 ]
  br label %40
}

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #8

; Function Attrs: nounwind
declare i32 @pthread_setname_np(i64 noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: nounwind
declare i32 @pthread_detach(i64 noundef) local_unnamed_addr #4

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: nofree
declare noundef i32 @open(ptr noundef readonly captures(none), i32 noundef, ...) local_unnamed_addr #9

; Function Attrs: nounwind
declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: nofree
declare noundef i64 @pread(i32 noundef, ptr noundef captures(none), i64 noundef, i64 noundef) local_unnamed_addr #9

; Function Attrs: mustprogress nocallback nofree nounwind willreturn
declare i64 @strtoll(ptr noundef readonly, ptr noundef captures(none), i32 noundef) local_unnamed_addr #10

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #11

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #12

; Function Attrs: nounwind
declare i32 @pthread_mutex_init(ptr noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: nounwind
declare i32 @pthread_cond_init(ptr noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: nounwind
declare i32 @pthread_setspecific(i32 noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umax.i32(i32, i32) #13

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #13

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #13

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #13

attributes #0 = { nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #1 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #2 = { nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #5 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #6 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #7 = { noreturn nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #8 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #9 = { nofree "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #10 = { mustprogress nocallback nofree nounwind willreturn "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #11 = { nounwind }
attributes #12 = { mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #13 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #14 = { nounwind allocsize(0,1) }
attributes #15 = { nounwind allocsize(0) }

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
!11 = !{!12, !7, i64 0}
!12 = !{!"", !7, i64 0, !7, i64 4, !8, i64 8}
!13 = !{!14, !7, i64 8}
!14 = !{!"", !15, i64 0, !7, i64 8, !7, i64 12, !7, i64 16, !7, i64 20, !17, i64 24, !17, i64 32, !18, i64 40}
!15 = !{!"p1 omnipotent char", !16, i64 0}
!16 = !{!"any pointer", !8, i64 0}
!17 = !{!"p1 long", !16, i64 0}
!18 = !{!"long", !8, i64 0}
!19 = !{!18, !18, i64 0}
!20 = !{!14, !7, i64 12}
!21 = !{!14, !7, i64 20}
!22 = !{!14, !7, i64 16}
!23 = !{!14, !17, i64 24}
!24 = !{!14, !17, i64 32}
!25 = distinct !{!25, !26}
!26 = !{!"llvm.loop.mustprogress"}
!27 = !{!14, !15, i64 0}
!28 = !{!14, !18, i64 40}
!29 = distinct !{!29, !26}
!30 = !{!16, !16, i64 0}
!31 = !{!32, !7, i64 0}
!32 = !{!"", !7, i64 0, !7, i64 4, !8, i64 8, !8, i64 48, !8, i64 96, !33, i64 144, !8, i64 152, !7, i64 156, !7, i64 160, !8, i64 164, !8, i64 168, !8, i64 176}
!33 = !{!"p1 _ZTS3Job", !16, i64 0}
!34 = !{!32, !7, i64 4}
!35 = !{!36, !16, i64 0}
!36 = !{!"", !16, i64 0, !7, i64 8}
!37 = !{!36, !7, i64 8}
!38 = distinct !{!38, !26}
!39 = !{!40, !16, i64 0}
!40 = !{!"Job", !16, i64 0, !16, i64 8, !36, i64 16, !33, i64 32, !8, i64 40, !8, i64 44, !7, i64 48, !8, i64 64}
!41 = !{!40, !16, i64 8}
!42 = !{!40, !7, i64 48}
!43 = !{!32, !7, i64 156}
!44 = distinct !{!44, !26}
!45 = !{!32, !33, i64 144}
!46 = !{!40, !33, i64 32}
!47 = !{!32, !7, i64 160}
!48 = !{!49, !7, i64 4}
!49 = !{!"", !8, i64 0, !7, i64 4}
!50 = distinct !{!50, !26}
!51 = distinct !{!51, !26}
!52 = !{!33, !33, i64 0}
!53 = distinct !{!53, !26}
!54 = !{!55, !18, i64 0}
!55 = !{!"timespec", !18, i64 0, !18, i64 8}
!56 = !{!55, !18, i64 8}
!57 = distinct !{!57, !26}
!58 = distinct !{!58, !26}
!59 = distinct !{!59, !26}
!60 = !{!15, !15, i64 0}
!61 = distinct !{!61, !26}
!62 = distinct !{!62, !26}
!63 = distinct !{!63, !26}
!64 = distinct !{!64, !26}
