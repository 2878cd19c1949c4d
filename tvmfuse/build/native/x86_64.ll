; Made by .ci/native from the C files whose SHA-256 is 011df35266807ae62f371c4ee8a319c3cc5408c8ad6470ec5e8146da170f14d4
; ModuleID = 'native.c'
source_filename = "native.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.17.0"

%struct.anon = type { ptr, ptr }
%struct.anon.0 = type { ptr, ptr, ptr }
%struct.anon.2 = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.anon.3 = type { ptr, ptr }
%struct.timespec = type { i64, i64 }
%struct.__sigset_t = type { [16 x i64] }
%struct.Group = type { ptr, i32 }
%struct.Job = type { ptr, ptr, %struct.Group, ptr, i32, i32, i64, i32, [4 x i8], [64 x %struct.Share] }
%struct.Share = type { i32, i32, [56 x i8] }
%struct.Past = type { ptr, i64 }
%struct.Any = type { i32, i32, %union.anon }
%union.anon = type { i64 }
%struct.Tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }
%struct.Input = type { i64, %struct.Tensor, ptr }
%struct.Weight = type { i64, ptr, i64, ptr }
%struct.Result = type { ptr, ptr }
%struct.Region = type { ptr, ptr, i64 }
%struct.Element = type { i64, i64 }

@__TVMFFIErrorSetRaisedFromCStr = local_unnamed_addr global ptr @say_nothing, align 8
@__TVMBackendParallelLaunch = local_unnamed_addr global ptr @launch, align 8
@recorder = internal constant %struct.anon { ptr @record, ptr @recorded }, align 8
@once = internal global i32 0, align 4
@launcher = internal constant %struct.anon.0 { ptr @install, ptr @make_pool, ptr @use }, align 8
@.str = private unnamed_addr constant [11 x i8] c"quick_call\00", align 1
@.str.1 = private unnamed_addr constant [15 x i8] c"watched_memory\00", align 1
@__TVMBackendAllocWorkspace = local_unnamed_addr global ptr @allocate_workspace, align 8
@__TVMBackendFreeWorkspace = local_unnamed_addr global ptr @free_workspace, align 8
@__TVMFFIEnvModLookupFromImports = local_unnamed_addr global ptr @find_packed, align 8
@__TVMFFIHandleInitOnce = local_unnamed_addr global ptr @find_once, align 8
@__TVMFFIFunctionCall = local_unnamed_addr global ptr @call_found, align 8
@chosen = internal global i32 0, align 4
@tvm = internal unnamed_addr global ptr null, align 8
@.str.2 = private unnamed_addr constant [13 x i8] c"RuntimeError\00", align 1
@.str.3 = private unnamed_addr constant [34 x i8] c"a piece of a parallel loop failed\00", align 1
@.str.4 = private unnamed_addr constant [8 x i8] c"tvmfuse\00", align 1
@.str.5 = private unnamed_addr constant [28 x i8] c"/proc/thread-self/schedstat\00", align 1
@python = internal unnamed_addr global %struct.anon.2 zeroinitializer, align 8
@packed = internal constant [3 x %struct.anon.3] [%struct.anon.3 { ptr @.str.7, ptr @refuse_index }, %struct.anon.3 { ptr @.str.8, ptr @refuse_size }, %struct.anon.3 { ptr @.str.9, ptr @top_k }], align 16
@.str.6 = private unnamed_addr constant [56 x i8] c"the model calls a function of TVM's that only TVM has: \00", align 1
@.str.7 = private unnamed_addr constant [27 x i8] c"tvmfuse.index_out_of_range\00", align 1
@.str.8 = private unnamed_addr constant [19 x i8] c"tvmfuse.wrong_size\00", align 1
@.str.9 = private unnamed_addr constant [22 x i8] c"tvm.contrib.sort.topk\00", align 1
@.str.10 = private unnamed_addr constant [23 x i8] c"expected numbers from \00", align 1
@.str.12 = private unnamed_addr constant [14 x i8] c", indices of \00", align 1
@.str.13 = private unnamed_addr constant [16 x i8] c" elements, of '\00", align 1
@.str.14 = private unnamed_addr constant [10 x i8] c"'; found \00", align 1
@.str.15 = private unnamed_addr constant [21 x i8] c"IndexOutOfRangeError\00", align 1
@.str.16 = private unnamed_addr constant [77 x i8] c"what the model computes of these inputs asks for a shape that it cannot have\00", align 1
@.str.17 = private unnamed_addr constant [15 x i8] c": one size is \00", align 1
@.str.18 = private unnamed_addr constant [17 x i8] c", and has to be \00", align 1
@.str.19 = private unnamed_addr constant [11 x i8] c"InputError\00", align 1
@.str.20 = private unnamed_addr constant [8 x i8] c"indices\00", align 1
@.str.21 = private unnamed_addr constant [7 x i8] c"values\00", align 1
@.str.22 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.23 = private unnamed_addr constant [14 x i8] c"out of memory\00", align 1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal void @say_nothing(ptr readnone captures(none) %0, ptr readnone captures(none) %1) #0 {
  ret void
}

; Function Attrs: nounwind uwtable
define hidden void @TVMFFIErrorSetRaisedFromCStrParts(ptr noundef %0, ptr noundef readonly captures(none) %1, i32 noundef %2) local_unnamed_addr #1 {
  %4 = alloca [4096 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #17
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
  call void %11(ptr noundef %0, ptr noundef nonnull %4) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #17
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
  %17 = tail call ptr @pthread_getspecific(i32 noundef %16) #17
  %18 = icmp eq ptr %17, null
  br i1 %18, label %19, label %22

19:                                               ; preds = %3
  %20 = load ptr, ptr @tvm, align 8, !tbaa !11
  %21 = tail call i32 %20(ptr noundef %0, ptr noundef %1, i32 noundef %2) #17
  br label %392

22:                                               ; preds = %3
  %23 = getelementptr inbounds nuw i8, ptr %17, i64 184
  %24 = load ptr, ptr %23, align 8, !tbaa !18
  %25 = icmp eq ptr %24, null
  br i1 %25, label %79, label %26

26:                                               ; preds = %22
  call void @llvm.lifetime.start.p0(ptr nonnull %13) #17
  store ptr null, ptr %13, align 8, !tbaa !23
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %28 = icmp eq i32 %2, 0
  br i1 %28, label %29, label %32

29:                                               ; preds = %26
  %30 = getelementptr inbounds nuw i8, ptr %17, i64 200
  %31 = load i32, ptr %30, align 8, !tbaa !25
  br label %32

32:                                               ; preds = %29, %26
  %33 = phi i32 [ %31, %29 ], [ %2, %26 ]
  store i32 %33, ptr %27, align 8, !tbaa !26
  %34 = getelementptr inbounds nuw i8, ptr %13, i64 12
  store i32 0, ptr %34, align 4
  %35 = add nsw i32 %33, 2
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds nuw i8, ptr %17, i64 192
  %38 = load i64, ptr %37, align 8, !tbaa !27
  %39 = icmp slt i64 %38, %36
  %40 = sub nsw i64 %38, %36
  %41 = select i1 %39, i64 -1, i64 %40
  store i64 %41, ptr %37, align 8, !tbaa !27
  %42 = select i1 %39, i64 0, i64 %36
  %43 = getelementptr inbounds i64, ptr %24, i64 %42
  store ptr %43, ptr %23, align 8, !tbaa !18
  br i1 %39, label %54, label %44

44:                                               ; preds = %32
  %45 = sext i32 %33 to i64
  %46 = getelementptr inbounds nuw i8, ptr %24, i64 8
  store i64 %45, ptr %24, align 8, !tbaa !28
  call void @llvm.lifetime.start.p0(ptr nonnull %12) #17
  %47 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %12) #17
  %48 = load i64, ptr %12, align 8, !tbaa !29
  %49 = mul nsw i64 %48, 1000000000
  %50 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %51 = load i64, ptr %50, align 8, !tbaa !31
  %52 = add nsw i64 %49, %51
  call void @llvm.lifetime.end.p0(ptr nonnull %12) #17
  %53 = getelementptr inbounds nuw i8, ptr %24, i64 16
  store i64 %52, ptr %46, align 8, !tbaa !28
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
  %62 = call i32 %0(i32 noundef %60, ptr noundef nonnull %13, ptr noundef %1) #17
  br i1 %39, label %70, label %63

63:                                               ; preds = %59
  call void @llvm.lifetime.start.p0(ptr nonnull %11) #17
  %64 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %11) #17
  %65 = load i64, ptr %11, align 8, !tbaa !29
  %66 = mul nsw i64 %65, 1000000000
  %67 = load i64, ptr %58, align 8, !tbaa !31
  %68 = add nsw i64 %66, %67
  call void @llvm.lifetime.end.p0(ptr nonnull %11) #17
  %69 = getelementptr inbounds nuw i8, ptr %61, i64 8
  store i64 %68, ptr %61, align 8, !tbaa !28
  br label %70

70:                                               ; preds = %63, %59
  %71 = phi ptr [ %69, %63 ], [ %61, %59 ]
  %72 = add nuw nsw i32 %60, 1
  %73 = load i32, ptr %27, align 8, !tbaa !26
  %74 = icmp slt i32 %72, %73
  %75 = icmp eq i32 %62, 0
  %76 = select i1 %74, i1 %75, i1 false
  br i1 %76, label %59, label %77, !llvm.loop !32

77:                                               ; preds = %70, %54
  %78 = phi i32 [ 0, %54 ], [ %62, %70 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %13) #17
  br label %392

79:                                               ; preds = %22
  %80 = load i32, ptr %17, align 8, !tbaa !33
  %81 = icmp eq i32 %80, 1
  %82 = icmp eq i32 %2, 1
  %83 = or i1 %82, %81
  br i1 %83, label %84, label %99

84:                                               ; preds = %79
  call void @llvm.lifetime.start.p0(ptr nonnull %14) #17
  store ptr null, ptr %14, align 8, !tbaa !23
  %85 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %86 = tail call i32 @llvm.umax.i32(i32 %2, i32 1)
  store i32 %86, ptr %85, align 8, !tbaa !26
  %87 = getelementptr inbounds nuw i8, ptr %14, i64 12
  store i32 0, ptr %87, align 4
  %88 = icmp sgt i32 %86, 0
  br i1 %88, label %93, label %97

89:                                               ; preds = %93
  %90 = add nuw nsw i32 %94, 1
  %91 = load i32, ptr %85, align 8, !tbaa !26
  %92 = icmp slt i32 %90, %91
  br i1 %92, label %93, label %97, !llvm.loop !34

93:                                               ; preds = %84, %89
  %94 = phi i32 [ %90, %89 ], [ 0, %84 ]
  %95 = call i32 %0(i32 noundef %94, ptr noundef nonnull %14, ptr noundef %1) #17
  %96 = icmp eq i32 %95, 0
  br i1 %96, label %89, label %97

97:                                               ; preds = %93, %89, %84
  %98 = phi i32 [ 0, %84 ], [ 0, %89 ], [ %95, %93 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %14) #17
  br label %392

99:                                               ; preds = %79
  call void @llvm.lifetime.start.p0(ptr nonnull %10) #17
  %100 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %10) #17
  %101 = load i64, ptr %10, align 8, !tbaa !29
  %102 = mul nsw i64 %101, 1000000000
  %103 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %104 = load i64, ptr %103, align 8, !tbaa !31
  %105 = add nsw i64 %102, %104
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #17
  %106 = getelementptr inbounds nuw i8, ptr %17, i64 4
  %107 = load i32, ptr %106, align 4, !tbaa !35
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
  call void @llvm.lifetime.start.p0(ptr nonnull %15) #17
  store ptr %0, ptr %15, align 64, !tbaa !36
  %130 = getelementptr inbounds nuw i8, ptr %15, i64 8
  store ptr %1, ptr %130, align 8, !tbaa !38
  %131 = getelementptr inbounds nuw i8, ptr %15, i64 16
  %132 = icmp eq i32 %2, 0
  br i1 %132, label %137, label %145

133:                                              ; preds = %115
  call void @llvm.lifetime.start.p0(ptr nonnull %15) #17
  store ptr %0, ptr %15, align 64, !tbaa !36
  %134 = getelementptr inbounds nuw i8, ptr %15, i64 8
  store ptr %1, ptr %134, align 8, !tbaa !38
  %135 = getelementptr inbounds nuw i8, ptr %15, i64 16
  %136 = icmp eq i32 %2, 0
  br i1 %136, label %138, label %145

137:                                              ; preds = %126
  br i1 %129, label %145, label %138

138:                                              ; preds = %133, %137
  %139 = phi ptr [ %130, %137 ], [ %134, %133 ]
  %140 = phi ptr [ %131, %137 ], [ %135, %133 ]
  %141 = load i32, ptr %17, align 8, !tbaa !33
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
  %162 = load ptr, ptr %15, align 64, !tbaa !36
  %163 = load ptr, ptr %147, align 8, !tbaa !38
  %164 = call i32 %162(i32 noundef %160, ptr noundef nonnull %146, ptr noundef %163) #17
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
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #17
  %172 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %9) #17
  %173 = load i64, ptr %9, align 8, !tbaa !29
  %174 = mul nsw i64 %173, 1000000000
  %175 = load i64, ptr %158, align 8, !tbaa !31
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #17
  %176 = sub i64 %175, %105
  %177 = add i64 %176, %174
  store atomic i64 %177, ptr %154 seq_cst, align 16
  br label %178

178:                                              ; preds = %171, %167
  %179 = phi i64 [ %161, %167 ], [ %177, %171 ]
  %180 = load i32, ptr %150, align 8, !tbaa !39
  %181 = icmp slt i32 %168, %180
  %182 = icmp slt i64 %179, %116
  %183 = select i1 %181, i1 %182, i1 false
  br i1 %183, label %159, label %184, !llvm.loop !40

184:                                              ; preds = %178, %145
  %185 = phi i32 [ %149, %145 ], [ %180, %178 ]
  %186 = phi i32 [ 0, %145 ], [ %168, %178 ]
  %187 = sub nsw i32 %185, %186
  %188 = icmp eq i32 %185, %186
  br i1 %188, label %368, label %189

189:                                              ; preds = %184
  %190 = load i32, ptr %17, align 8, !tbaa !33
  %191 = call i32 @llvm.smin.i32(i32 %190, i32 64)
  %192 = getelementptr inbounds nuw i8, ptr %15, i64 56
  store i32 %191, ptr %192, align 8, !tbaa !41
  %193 = sext i32 %191 to i64
  %194 = icmp sgt i32 %190, 0
  br i1 %194, label %195, label %198

195:                                              ; preds = %189
  %196 = getelementptr inbounds nuw i8, ptr %15, i64 64
  %197 = sext i32 %187 to i64
  br label %354

198:                                              ; preds = %354, %189
  %199 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %200 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #17
  %201 = getelementptr inbounds nuw i8, ptr %17, i64 156
  %202 = load i32, ptr %201, align 4, !tbaa !42
  %203 = load i32, ptr %17, align 8, !tbaa !33
  %204 = add nsw i32 %203, -1
  %205 = icmp slt i32 %202, %204
  br i1 %205, label %206, label %239

206:                                              ; preds = %198
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #17
  %207 = call i32 @sigfillset(ptr noundef nonnull %6) #17
  %208 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %6, ptr noundef nonnull %7) #17
  %209 = load i32, ptr %201, align 4, !tbaa !42
  %210 = load i32, ptr %17, align 8, !tbaa !33
  %211 = add nsw i32 %210, -1
  %212 = icmp slt i32 %209, %211
  br i1 %212, label %213, label %235

213:                                              ; preds = %206, %225
  %214 = phi i32 [ %231, %225 ], [ %209, %206 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #17
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
  %221 = call i32 @pthread_create(ptr noundef nonnull %8, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull %215) #17
  %222 = icmp eq i32 %221, 0
  br i1 %222, label %225, label %223

223:                                              ; preds = %217
  call void @free(ptr noundef nonnull %215) #17
  br label %224

224:                                              ; preds = %213, %223
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #17
  br label %235

225:                                              ; preds = %217
  %226 = load i64, ptr %8, align 8, !tbaa !28
  %227 = call i32 @pthread_setname_np(i64 noundef %226, ptr noundef nonnull @.str.4) #17
  %228 = load i64, ptr %8, align 8, !tbaa !28
  %229 = call i32 @pthread_detach(i64 noundef %228) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #17
  %230 = load i32, ptr %201, align 4, !tbaa !42
  %231 = add nsw i32 %230, 1
  store i32 %231, ptr %201, align 4, !tbaa !42
  %232 = load i32, ptr %17, align 8, !tbaa !33
  %233 = add nsw i32 %232, -1
  %234 = icmp slt i32 %231, %233
  br i1 %234, label %213, label %235, !llvm.loop !43

235:                                              ; preds = %225, %224, %206
  %236 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %7, ptr noundef null) #17
  %237 = load i32, ptr %201, align 4, !tbaa !42
  %238 = add nsw i32 %237, 1
  store i32 %238, ptr %17, align 8, !tbaa !33
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #17
  br label %239

239:                                              ; preds = %235, %198
  %240 = getelementptr inbounds nuw i8, ptr %17, i64 144
  %241 = load ptr, ptr %240, align 8, !tbaa !44
  %242 = getelementptr inbounds nuw i8, ptr %15, i64 32
  store ptr %241, ptr %242, align 32, !tbaa !45
  store ptr %15, ptr %240, align 8, !tbaa !44
  %243 = getelementptr inbounds nuw i8, ptr %17, i64 152
  %244 = atomicrmw add ptr %243, i32 1 seq_cst, align 8
  %245 = getelementptr inbounds nuw i8, ptr %17, i64 160
  %246 = load i32, ptr %245, align 8, !tbaa !46
  %247 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #17
  %248 = icmp eq i32 %246, 0
  br i1 %248, label %252, label %249

249:                                              ; preds = %239
  %250 = getelementptr inbounds nuw i8, ptr %17, i64 48
  %251 = call i32 @pthread_cond_broadcast(ptr noundef nonnull %250) #17
  br label %252

252:                                              ; preds = %239, %249
  call fastcc void @compute(ptr noundef %15, i32 noundef 0)
  %253 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #17
  br label %254

254:                                              ; preds = %254, %252
  %255 = phi ptr [ %240, %252 ], [ %258, %254 ]
  %256 = load ptr, ptr %255, align 8, !tbaa !47
  %257 = icmp eq ptr %256, %15
  %258 = getelementptr inbounds nuw i8, ptr %256, i64 32
  br i1 %257, label %259, label %254, !llvm.loop !48

259:                                              ; preds = %254
  %260 = load ptr, ptr %242, align 32, !tbaa !45
  store ptr %260, ptr %255, align 8, !tbaa !47
  %261 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #17
  %262 = load atomic i32, ptr %152 seq_cst, align 8
  %263 = icmp eq i32 %262, 0
  br i1 %263, label %368, label %264

264:                                              ; preds = %259
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #17
  %265 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #17
  %266 = load i64, ptr %5, align 8, !tbaa !29
  %267 = mul nsw i64 %266, 1000000000
  %268 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %269 = load i64, ptr %268, align 8, !tbaa !31
  %270 = add nsw i64 %267, %269
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #17
  %271 = load i32, ptr %106, align 4, !tbaa !35
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
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #17
  %332 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #17
  %333 = load i64, ptr %4, align 8, !tbaa !29
  %334 = mul nsw i64 %333, 1000000000
  %335 = load i64, ptr %275, align 8, !tbaa !31
  %336 = add nsw i64 %334, %335
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #17
  %337 = load i32, ptr %106, align 4, !tbaa !35
  %338 = icmp eq i32 %337, 0
  br i1 %338, label %339, label %276, !llvm.loop !49

339:                                              ; preds = %331, %276, %264
  %340 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #17
  %341 = getelementptr inbounds nuw i8, ptr %17, i64 164
  %342 = atomicrmw add ptr %341, i32 1 seq_cst, align 4
  %343 = load atomic i32, ptr %152 seq_cst, align 8
  %344 = icmp eq i32 %343, 0
  br i1 %344, label %351, label %345

345:                                              ; preds = %339
  %346 = getelementptr inbounds nuw i8, ptr %17, i64 96
  br label %347

347:                                              ; preds = %347, %345
  %348 = call i32 @pthread_cond_wait(ptr noundef nonnull %346, ptr noundef nonnull %199) #17
  %349 = load atomic i32, ptr %152 seq_cst, align 8
  %350 = icmp eq i32 %349, 0
  br i1 %350, label %351, label %347, !llvm.loop !50

351:                                              ; preds = %347, %339
  %352 = atomicrmw sub ptr %341, i32 1 seq_cst, align 4
  %353 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #17
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
  store i32 %365, ptr %366, align 4, !tbaa !51
  %367 = icmp eq i64 %361, %193
  br i1 %367, label %198, label %354, !llvm.loop !53

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
  call void %389(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.3) #17
  br label %390

390:                                              ; preds = %383, %388
  %391 = phi i32 [ -1, %388 ], [ 0, %383 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %15) #17
  br label %392

392:                                              ; preds = %390, %97, %77, %19
  %393 = phi i32 [ %78, %77 ], [ %98, %97 ], [ %391, %390 ], [ %21, %19 ]
  ret i32 %393
}

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
  %5 = tail call i32 @pthread_once(ptr noundef nonnull @once, ptr noundef nonnull @make_key) #17
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
  %1 = tail call i32 @pthread_key_create(ptr noundef nonnull @chosen, ptr noundef null) #17
  ret void
}

; Function Attrs: mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_quick_call(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #6 {
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
  %6 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 64), align 8, !tbaa !54
  %7 = tail call ptr %6(ptr noundef %0) #17
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %9 = load i64, ptr %8, align 8, !tbaa !56
  %10 = add nsw i64 %9, 1
  %11 = alloca ptr, i64 %10, align 16
  %12 = getelementptr inbounds nuw i8, ptr %7, i64 48
  %13 = load i64, ptr %12, align 8, !tbaa !58
  %14 = add nsw i64 %13, 1
  %15 = alloca ptr, i64 %14, align 16
  %16 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !59
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #17
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
  %28 = load ptr, ptr %19, align 8, !tbaa !60
  %29 = getelementptr inbounds nuw %struct.Input, ptr %28, i64 %27
  %30 = load i64, ptr %29, align 8, !tbaa !61
  %31 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !64
  %32 = call ptr %31(ptr noundef %1, i64 noundef %30) #17
  %33 = icmp eq ptr %32, null
  br i1 %33, label %42, label %34

34:                                               ; preds = %26
  %35 = load ptr, ptr @python, align 8, !tbaa !65
  %36 = call i32 %35(ptr noundef nonnull %32, ptr noundef nonnull %5) #17
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %38, label %42

38:                                               ; preds = %34
  %39 = load ptr, ptr %5, align 8, !tbaa !66
  %40 = load i64, ptr %20, align 8, !tbaa !67
  %41 = getelementptr inbounds nuw i8, ptr %39, i64 %40
  br label %44

42:                                               ; preds = %34, %26
  %43 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 88), align 8, !tbaa !68
  call void %43() #17
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
  br i1 %54, label %55, label %327

55:                                               ; preds = %44
  %56 = load i32, ptr %22, align 4, !tbaa !69
  %57 = getelementptr inbounds nuw i8, ptr %29, i64 28
  %58 = load i32, ptr %57, align 4, !tbaa !69
  %59 = icmp eq i32 %56, %58
  br i1 %59, label %60, label %327

60:                                               ; preds = %55
  %61 = load i32, ptr %23, align 8, !tbaa !70
  %62 = getelementptr inbounds nuw i8, ptr %29, i64 24
  %63 = load i32, ptr %62, align 8, !tbaa !70
  %64 = icmp eq i32 %61, %63
  br i1 %64, label %65, label %327

65:                                               ; preds = %60
  %66 = icmp sgt i32 %61, 0
  br i1 %66, label %67, label %95

67:                                               ; preds = %65
  %68 = getelementptr inbounds nuw i8, ptr %29, i64 32
  %69 = load ptr, ptr %68, align 8, !tbaa !71
  %70 = load ptr, ptr %25, align 8, !tbaa !71
  %71 = getelementptr inbounds nuw i8, ptr %29, i64 40
  %72 = zext nneg i32 %61 to i64
  %73 = load ptr, ptr %24, align 8
  %74 = icmp eq ptr %73, null
  br label %75

75:                                               ; preds = %92, %67
  %76 = phi i64 [ 0, %67 ], [ %93, %92 ]
  %77 = getelementptr inbounds nuw i64, ptr %69, i64 %76
  %78 = load i64, ptr %77, align 8, !tbaa !28
  %79 = getelementptr inbounds nuw i64, ptr %70, i64 %76
  %80 = load i64, ptr %79, align 8, !tbaa !28
  %81 = icmp eq i64 %80, %78
  br i1 %81, label %82, label %327

82:                                               ; preds = %75
  %83 = icmp eq i64 %78, 1
  br i1 %83, label %92, label %84

84:                                               ; preds = %82
  br i1 %74, label %327, label %85

85:                                               ; preds = %84
  %86 = getelementptr inbounds nuw i64, ptr %73, i64 %76
  %87 = load i64, ptr %86, align 8, !tbaa !28
  %88 = load ptr, ptr %71, align 8, !tbaa !72
  %89 = getelementptr inbounds nuw i64, ptr %88, i64 %76
  %90 = load i64, ptr %89, align 8, !tbaa !28
  %91 = icmp eq i64 %87, %90
  br i1 %91, label %92, label %327

92:                                               ; preds = %85, %82
  %93 = add nuw nsw i64 %76, 1
  %94 = icmp eq i64 %93, %72
  br i1 %94, label %95, label %75, !llvm.loop !73

95:                                               ; preds = %92, %65
  %96 = add nuw nsw i64 %27, 1
  %97 = load i64, ptr %8, align 8, !tbaa !56
  %98 = icmp slt i64 %96, %97
  br i1 %98, label %26, label %99, !llvm.loop !74

99:                                               ; preds = %95, %2
  %100 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %101 = load i64, ptr %100, align 8, !tbaa !75
  %102 = icmp sgt i64 %101, 0
  br i1 %102, label %103, label %153

103:                                              ; preds = %99
  %104 = getelementptr inbounds nuw i8, ptr %7, i64 72
  %105 = getelementptr inbounds nuw i8, ptr %4, i64 40
  br label %106

106:                                              ; preds = %148, %103
  %107 = phi i64 [ 0, %103 ], [ %149, %148 ]
  %108 = load ptr, ptr %104, align 8, !tbaa !76
  %109 = getelementptr inbounds nuw %struct.Weight, ptr %108, i64 %107
  %110 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !64
  %111 = load i64, ptr %109, align 8, !tbaa !77
  %112 = call ptr %110(ptr noundef %1, i64 noundef %111) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #17
  %113 = icmp eq ptr %112, null
  br i1 %113, label %124, label %114

114:                                              ; preds = %106
  %115 = getelementptr inbounds nuw i8, ptr %109, i64 8
  %116 = load ptr, ptr %115, align 8, !tbaa !79
  %117 = icmp eq ptr %112, %116
  br i1 %117, label %118, label %124

118:                                              ; preds = %114
  %119 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !80
  %120 = call ptr %119(ptr noundef nonnull %112) #17
  %121 = getelementptr inbounds nuw i8, ptr %109, i64 24
  %122 = load ptr, ptr %121, align 8, !tbaa !81
  %123 = icmp eq ptr %120, %122
  br i1 %123, label %148, label %152

124:                                              ; preds = %114, %106
  %125 = getelementptr inbounds nuw i8, ptr %109, i64 16
  %126 = load i64, ptr %125, align 8, !tbaa !82
  %127 = icmp eq i64 %126, 0
  br i1 %127, label %128, label %152

128:                                              ; preds = %124
  %129 = load i64, ptr %109, align 8, !tbaa !77
  %130 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !64
  %131 = call ptr %130(ptr noundef %1, i64 noundef %129) #17
  %132 = icmp eq ptr %131, null
  br i1 %132, label %141, label %133

133:                                              ; preds = %128
  %134 = load ptr, ptr @python, align 8, !tbaa !65
  %135 = call i32 %134(ptr noundef nonnull %131, ptr noundef nonnull %4) #17
  %136 = icmp eq i32 %135, 0
  br i1 %136, label %137, label %141

137:                                              ; preds = %133
  %138 = load ptr, ptr %4, align 8, !tbaa !66
  %139 = load i64, ptr %105, align 8, !tbaa !67
  %140 = getelementptr inbounds nuw i8, ptr %138, i64 %139
  br label %143

141:                                              ; preds = %133, %128
  %142 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 88), align 8, !tbaa !68
  call void %142() #17
  br label %143

143:                                              ; preds = %141, %137
  %144 = phi ptr [ null, %141 ], [ %140, %137 ]
  %145 = getelementptr inbounds nuw i8, ptr %109, i64 24
  %146 = load ptr, ptr %145, align 8, !tbaa !81
  %147 = icmp eq ptr %144, %146
  br i1 %147, label %148, label %152

148:                                              ; preds = %143, %118
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #17
  %149 = add nuw nsw i64 %107, 1
  %150 = load i64, ptr %100, align 8, !tbaa !75
  %151 = icmp slt i64 %149, %150
  br i1 %151, label %106, label %153, !llvm.loop !83

152:                                              ; preds = %118, %124, %143
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #17
  br label %327

153:                                              ; preds = %148, %99
  %154 = load i64, ptr %12, align 8, !tbaa !58
  %155 = icmp sgt i64 %154, 0
  br i1 %155, label %156, label %179

156:                                              ; preds = %153
  %157 = getelementptr inbounds nuw i8, ptr %7, i64 80
  br label %158

158:                                              ; preds = %168, %156
  %159 = phi i64 [ 0, %156 ], [ %169, %168 ]
  %160 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 56), align 8, !tbaa !84
  %161 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 16), align 8, !tbaa !85
  %162 = load ptr, ptr %157, align 8, !tbaa !86
  %163 = getelementptr inbounds nuw %struct.Result, ptr %162, i64 %159
  %164 = load ptr, ptr %163, align 8, !tbaa !87
  %165 = call ptr %160(ptr noundef %161, ptr noundef %164) #17
  %166 = getelementptr inbounds nuw ptr, ptr %15, i64 %159
  store ptr %165, ptr %166, align 8, !tbaa !11
  %167 = icmp eq ptr %165, null
  br i1 %167, label %172, label %168

168:                                              ; preds = %158
  %169 = add nuw nsw i64 %159, 1
  %170 = load i64, ptr %12, align 8, !tbaa !58
  %171 = icmp slt i64 %169, %170
  br i1 %171, label %158, label %175, !llvm.loop !89

172:                                              ; preds = %158
  %173 = load i64, ptr %12, align 8, !tbaa !58
  %174 = icmp slt i64 %159, %173
  br i1 %174, label %316, label %175

175:                                              ; preds = %168, %172
  %176 = phi i64 [ %159, %172 ], [ %170, %168 ]
  %177 = phi i64 [ %173, %172 ], [ %170, %168 ]
  %178 = icmp sgt i64 %177, 0
  br i1 %178, label %190, label %179

179:                                              ; preds = %201, %153, %175
  %180 = phi i64 [ %176, %175 ], [ %154, %153 ], [ %176, %201 ]
  %181 = load i64, ptr %8, align 8, !tbaa !56
  %182 = icmp sgt i64 %181, 0
  br i1 %182, label %183, label %254

183:                                              ; preds = %179
  %184 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %185 = load ptr, ptr %184, align 8, !tbaa !60
  %186 = and i64 %181, 3
  %187 = icmp ult i64 %181, 4
  br i1 %187, label %240, label %188

188:                                              ; preds = %183
  %189 = and i64 %181, 9223372036854775804
  br label %209

190:                                              ; preds = %175, %201
  %191 = phi i64 [ %206, %201 ], [ 0, %175 ]
  %192 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !80
  %193 = getelementptr inbounds nuw ptr, ptr %15, i64 %191
  %194 = load ptr, ptr %193, align 8, !tbaa !11
  %195 = call ptr %192(ptr noundef %194) #17
  %196 = icmp eq ptr %195, null
  %197 = ptrtoint ptr %195 to i64
  %198 = and i64 %197, 63
  %199 = icmp ne i64 %198, 0
  %200 = or i1 %196, %199
  br i1 %200, label %313, label %201

201:                                              ; preds = %190
  %202 = load ptr, ptr %157, align 8, !tbaa !86
  %203 = getelementptr inbounds nuw %struct.Result, ptr %202, i64 %191
  %204 = getelementptr inbounds nuw i8, ptr %203, i64 8
  %205 = load ptr, ptr %204, align 8, !tbaa !90
  store ptr %195, ptr %205, align 8, !tbaa !66
  %206 = add nuw nsw i64 %191, 1
  %207 = load i64, ptr %12, align 8, !tbaa !58
  %208 = icmp slt i64 %206, %207
  br i1 %208, label %190, label %179, !llvm.loop !91

209:                                              ; preds = %209, %188
  %210 = phi i64 [ 0, %188 ], [ %235, %209 ]
  %211 = phi i64 [ 0, %188 ], [ %236, %209 ]
  %212 = getelementptr inbounds nuw ptr, ptr %11, i64 %210
  %213 = load ptr, ptr %212, align 16, !tbaa !13
  %214 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %210
  %215 = getelementptr inbounds nuw i8, ptr %214, i64 56
  %216 = load ptr, ptr %215, align 8, !tbaa !92
  store ptr %213, ptr %216, align 8, !tbaa !66
  %217 = or disjoint i64 %210, 1
  %218 = getelementptr inbounds nuw ptr, ptr %11, i64 %217
  %219 = load ptr, ptr %218, align 8, !tbaa !13
  %220 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %217
  %221 = getelementptr inbounds nuw i8, ptr %220, i64 56
  %222 = load ptr, ptr %221, align 8, !tbaa !92
  store ptr %219, ptr %222, align 8, !tbaa !66
  %223 = or disjoint i64 %210, 2
  %224 = getelementptr inbounds nuw ptr, ptr %11, i64 %223
  %225 = load ptr, ptr %224, align 16, !tbaa !13
  %226 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %223
  %227 = getelementptr inbounds nuw i8, ptr %226, i64 56
  %228 = load ptr, ptr %227, align 8, !tbaa !92
  store ptr %225, ptr %228, align 8, !tbaa !66
  %229 = or disjoint i64 %210, 3
  %230 = getelementptr inbounds nuw ptr, ptr %11, i64 %229
  %231 = load ptr, ptr %230, align 8, !tbaa !13
  %232 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %229
  %233 = getelementptr inbounds nuw i8, ptr %232, i64 56
  %234 = load ptr, ptr %233, align 8, !tbaa !92
  store ptr %231, ptr %234, align 8, !tbaa !66
  %235 = add nuw nsw i64 %210, 4
  %236 = add i64 %211, 4
  %237 = icmp eq i64 %236, %189
  br i1 %237, label %238, label %209, !llvm.loop !93

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
  %247 = load ptr, ptr %246, align 8, !tbaa !13
  %248 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %244
  %249 = getelementptr inbounds nuw i8, ptr %248, i64 56
  %250 = load ptr, ptr %249, align 8, !tbaa !92
  store ptr %247, ptr %250, align 8, !tbaa !66
  %251 = add nuw nsw i64 %244, 1
  %252 = add i64 %245, 1
  %253 = icmp eq i64 %252, %186
  br i1 %253, label %254, label %243, !llvm.loop !94

254:                                              ; preds = %238, %243, %179
  %255 = load i32, ptr @chosen, align 4, !tbaa !6
  %256 = call ptr @pthread_getspecific(i32 noundef %255) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #17
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, i8 0, i64 16, i1 false)
  %257 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %258 = load ptr, ptr %257, align 8, !tbaa !96
  %259 = load i32, ptr @chosen, align 4, !tbaa !6
  %260 = call i32 @pthread_setspecific(i32 noundef %259, ptr noundef %258) #17
  %261 = load ptr, ptr %7, align 8, !tbaa !97
  %262 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %263 = load ptr, ptr %262, align 8, !tbaa !98
  %264 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %265 = load i64, ptr %264, align 8, !tbaa !99
  %266 = trunc i64 %265 to i32
  %267 = call i32 %261(ptr noundef null, ptr noundef %263, i32 noundef %266, ptr noundef nonnull %3) #17
  %268 = load i32, ptr @chosen, align 4, !tbaa !6
  %269 = call i32 @pthread_setspecific(i32 noundef %268, ptr noundef %256) #17
  %270 = icmp eq i32 %267, 0
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #17
  br i1 %270, label %271, label %313

271:                                              ; preds = %254
  %272 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 40), align 8, !tbaa !100
  %273 = getelementptr inbounds nuw i8, ptr %7, i64 56
  %274 = load i64, ptr %273, align 8, !tbaa !101
  %275 = call ptr %272(i64 noundef %274) #17
  %276 = icmp eq ptr %275, null
  br i1 %276, label %316, label %277

277:                                              ; preds = %271
  %278 = getelementptr inbounds nuw i8, ptr %7, i64 88
  %279 = load i64, ptr %273, align 8, !tbaa !101
  %280 = icmp sgt i64 %279, 0
  br i1 %280, label %285, label %316

281:                                              ; preds = %307
  %282 = add nuw nsw i64 %286, 1
  %283 = load i64, ptr %273, align 8, !tbaa !101
  %284 = icmp slt i64 %282, %283
  br i1 %284, label %285, label %316

285:                                              ; preds = %277, %281
  %286 = phi i64 [ %282, %281 ], [ 0, %277 ]
  %287 = load ptr, ptr %278, align 8, !tbaa !102
  %288 = getelementptr inbounds nuw i64, ptr %287, i64 %286
  %289 = load i64, ptr %288, align 8, !tbaa !28
  %290 = load i64, ptr %12, align 8, !tbaa !58
  %291 = sub nsw i64 %289, %290
  %292 = icmp slt i64 %289, 0
  br i1 %292, label %293, label %295

293:                                              ; preds = %285
  %294 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !59
  br label %303

295:                                              ; preds = %285
  %296 = icmp slt i64 %291, 0
  br i1 %296, label %297, label %300

297:                                              ; preds = %295
  %298 = getelementptr inbounds nuw ptr, ptr %15, i64 %289
  %299 = load ptr, ptr %298, align 8, !tbaa !11
  br label %303

300:                                              ; preds = %295
  %301 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !64
  %302 = call ptr %301(ptr noundef %1, i64 noundef %291) #17
  br label %303

303:                                              ; preds = %300, %297, %293
  %304 = phi ptr [ %294, %293 ], [ %299, %297 ], [ %302, %300 ]
  %305 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !103
  call void %305(ptr noundef %304) #17
  %306 = icmp eq ptr %304, null
  br i1 %306, label %311, label %307

307:                                              ; preds = %303
  %308 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 48), align 8, !tbaa !104
  %309 = call i32 %308(ptr noundef nonnull %275, i64 noundef %286, ptr noundef nonnull %304) #17
  %310 = icmp eq i32 %309, 0
  br i1 %310, label %281, label %311

311:                                              ; preds = %307, %303
  %312 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 80), align 8, !tbaa !105
  call void %312(ptr noundef nonnull %275) #17
  br label %316

313:                                              ; preds = %190, %254
  %314 = phi i64 [ %180, %254 ], [ %176, %190 ]
  %315 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !103
  call void %315(ptr noundef %16) #17
  br label %316

316:                                              ; preds = %281, %277, %311, %271, %172, %313
  %317 = phi i64 [ %314, %313 ], [ %159, %172 ], [ %180, %311 ], [ %180, %271 ], [ %180, %277 ], [ %180, %281 ]
  %318 = phi ptr [ %16, %313 ], [ null, %172 ], [ null, %311 ], [ null, %271 ], [ %275, %277 ], [ %275, %281 ]
  %319 = icmp eq i64 %317, 0
  br i1 %319, label %329, label %320

320:                                              ; preds = %316, %320
  %321 = phi i64 [ %323, %320 ], [ %317, %316 ]
  %322 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 80), align 8, !tbaa !105
  %323 = add nsw i64 %321, -1
  %324 = getelementptr inbounds ptr, ptr %15, i64 %323
  %325 = load ptr, ptr %324, align 8, !tbaa !11
  call void %322(ptr noundef %325) #17
  %326 = icmp eq i64 %323, 0
  br i1 %326, label %329, label %320, !llvm.loop !106

327:                                              ; preds = %60, %55, %44, %75, %84, %85, %152
  %328 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !103
  call void %328(ptr noundef %16) #17
  br label %329

329:                                              ; preds = %320, %316, %327
  %330 = phi ptr [ %16, %327 ], [ %318, %316 ], [ %318, %320 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #17
  ret ptr %330
}

; Function Attrs: mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_watched_memory(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #6 {
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
define internal noundef ptr @watched_memory(ptr noundef %0, ptr noundef %1) #7 {
  %3 = alloca [32 x <4 x i64>], align 32
  %4 = alloca [32 x <4 x i64>], align 32
  %5 = alloca [32 x <4 x i64>], align 32
  %6 = alloca [32 x <4 x i64>], align 32
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 64), align 8, !tbaa !54
  %8 = tail call ptr %7(ptr noundef %0) #17
  %9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !59
  %10 = icmp eq ptr %1, %9
  br i1 %10, label %11, label %95

11:                                               ; preds = %2
  %12 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %13 = load ptr, ptr %12, align 8, !tbaa !107
  %14 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %15 = load i64, ptr %14, align 8, !tbaa !109
  %16 = shl i64 %15, 5
  tail call void @llvm.memset.p0.i64(ptr align 32 %13, i8 0, i64 %16, i1 false)
  %17 = load i64, ptr %8, align 8, !tbaa !110
  %18 = icmp sgt i64 %17, 0
  br i1 %18, label %19, label %220

19:                                               ; preds = %11
  %20 = getelementptr inbounds nuw i8, ptr %8, i64 24
  br label %21

21:                                               ; preds = %34, %19
  %22 = phi i64 [ %17, %19 ], [ %35, %34 ]
  %23 = phi i64 [ 0, %19 ], [ %36, %34 ]
  %24 = phi i64 [ 0, %19 ], [ %37, %34 ]
  %25 = load ptr, ptr %20, align 8, !tbaa !111
  %26 = getelementptr inbounds nuw %struct.Region, ptr %25, i64 %24
  %27 = getelementptr inbounds nuw i8, ptr %26, i64 16
  %28 = load i64, ptr %27, align 8, !tbaa !112
  %29 = icmp sgt i64 %28, 0
  br i1 %29, label %30, label %34

30:                                               ; preds = %21
  %31 = getelementptr inbounds nuw i8, ptr %26, i64 8
  br label %39

32:                                               ; preds = %86
  %33 = load i64, ptr %8, align 8, !tbaa !110
  br label %34

34:                                               ; preds = %32, %21
  %35 = phi i64 [ %22, %21 ], [ %33, %32 ]
  %36 = phi i64 [ %23, %21 ], [ %91, %32 ]
  %37 = add nuw nsw i64 %24, 1
  %38 = icmp slt i64 %37, %35
  br i1 %38, label %21, label %220, !llvm.loop !114

39:                                               ; preds = %86, %30
  %40 = phi i64 [ %28, %30 ], [ %93, %86 ]
  %41 = phi i64 [ %23, %30 ], [ %91, %86 ]
  %42 = phi i64 [ 0, %30 ], [ %92, %86 ]
  %43 = load ptr, ptr %12, align 8, !tbaa !107
  %44 = getelementptr inbounds <4 x i64>, ptr %43, i64 %41
  %45 = load <4 x i64>, ptr %44, align 32
  %46 = sub nsw i64 %40, %42
  %47 = icmp sgt i64 %46, 1023
  %48 = load ptr, ptr %31, align 8, !tbaa !115
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 %42
  br i1 %47, label %50, label %68

50:                                               ; preds = %39
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #17
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
  br i1 %66, label %67, label %52, !llvm.loop !116

67:                                               ; preds = %52
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #17
  br label %86

68:                                               ; preds = %39
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #17
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
  br i1 %84, label %85, label %70, !llvm.loop !116

85:                                               ; preds = %70
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #17
  br label %86

86:                                               ; preds = %85, %67
  %87 = phi <4 x i64> [ %63, %67 ], [ %81, %85 ]
  store <4 x i64> %87, ptr %44, align 32
  %88 = add nsw i64 %41, 1
  %89 = load i64, ptr %14, align 8, !tbaa !109
  %90 = icmp eq i64 %88, %89
  %91 = select i1 %90, i64 0, i64 %88
  %92 = add nuw nsw i64 %42, 1024
  %93 = load i64, ptr %27, align 8, !tbaa !112
  %94 = icmp slt i64 %92, %93
  br i1 %94, label %39, label %32, !llvm.loop !117

95:                                               ; preds = %2
  %96 = load i64, ptr %8, align 8, !tbaa !110
  %97 = icmp sgt i64 %96, 0
  br i1 %97, label %103, label %98

98:                                               ; preds = %95
  %99 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %100 = load i64, ptr %99, align 8, !tbaa !118
  %101 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %102 = load i64, ptr %101, align 8, !tbaa !109
  br label %197

103:                                              ; preds = %95
  %104 = getelementptr inbounds nuw i8, ptr %8, i64 24
  %105 = load ptr, ptr %104, align 8, !tbaa !111
  br label %110

106:                                              ; preds = %110
  %107 = add nuw nsw i64 %112, 1
  %108 = load i64, ptr %8, align 8, !tbaa !110
  %109 = icmp slt i64 %107, %108
  br i1 %109, label %110, label %122, !llvm.loop !119

110:                                              ; preds = %106, %103
  %111 = phi ptr [ %105, %103 ], [ %117, %106 ]
  %112 = phi i64 [ 0, %103 ], [ %107, %106 ]
  %113 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !80
  %114 = getelementptr inbounds nuw %struct.Region, ptr %111, i64 %112
  %115 = load ptr, ptr %114, align 8, !tbaa !120
  %116 = tail call ptr %113(ptr noundef %115) #17
  %117 = load ptr, ptr %104, align 8, !tbaa !111
  %118 = getelementptr inbounds nuw %struct.Region, ptr %117, i64 %112
  %119 = getelementptr inbounds nuw i8, ptr %118, i64 8
  %120 = load ptr, ptr %119, align 8, !tbaa !115
  %121 = icmp eq ptr %116, %120
  br i1 %121, label %106, label %218

122:                                              ; preds = %106
  %123 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %124 = load i64, ptr %123, align 8, !tbaa !118
  %125 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %126 = load i64, ptr %125, align 8, !tbaa !109
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
  %137 = load i64, ptr %136, align 8, !tbaa !112
  %138 = icmp slt i64 %132, %137
  br i1 %138, label %139, label %188

139:                                              ; preds = %131
  %140 = getelementptr inbounds nuw i8, ptr %135, i64 8
  %141 = load ptr, ptr %140, align 8, !tbaa !115
  br label %142

142:                                              ; preds = %184, %139
  %143 = phi i64 [ %132, %139 ], [ %186, %184 ]
  %144 = phi <4 x i64> [ %134, %139 ], [ %185, %184 ]
  %145 = sub nsw i64 %137, %143
  %146 = icmp sgt i64 %145, 1023
  %147 = getelementptr inbounds i8, ptr %141, i64 %143
  br i1 %146, label %148, label %166

148:                                              ; preds = %142
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #17
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
  br i1 %164, label %165, label %150, !llvm.loop !116

165:                                              ; preds = %150
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #17
  br label %184

166:                                              ; preds = %142
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #17
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
  br i1 %182, label %183, label %168, !llvm.loop !116

183:                                              ; preds = %168
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #17
  br label %184

184:                                              ; preds = %183, %165
  %185 = phi <4 x i64> [ %161, %165 ], [ %179, %183 ]
  %186 = add nsw i64 %143, %127
  %187 = icmp slt i64 %186, %137
  br i1 %187, label %142, label %188, !llvm.loop !121

188:                                              ; preds = %184, %131
  %189 = phi <4 x i64> [ %134, %131 ], [ %185, %184 ]
  %190 = phi i64 [ %132, %131 ], [ %186, %184 ]
  %191 = add nsw i64 %137, 1023
  %192 = sdiv i64 %191, -1024
  %193 = shl nsw i64 %192, 10
  %194 = add i64 %190, %193
  %195 = add nuw nsw i64 %133, 1
  %196 = icmp eq i64 %195, %108
  br i1 %196, label %197, label %131, !llvm.loop !122

197:                                              ; preds = %188, %98, %122
  %198 = phi i64 [ %126, %122 ], [ %102, %98 ], [ %126, %188 ]
  %199 = phi i64 [ %124, %122 ], [ %100, %98 ], [ %124, %188 ]
  %200 = phi ptr [ %123, %122 ], [ %99, %98 ], [ %123, %188 ]
  %201 = phi <4 x i64> [ zeroinitializer, %122 ], [ zeroinitializer, %98 ], [ %189, %188 ]
  %202 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %203 = load ptr, ptr %202, align 8, !tbaa !107
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
  %219 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !59
  br label %220

220:                                              ; preds = %34, %11, %197, %218
  %221 = phi ptr [ %219, %218 ], [ %1, %197 ], [ %1, %11 ], [ %1, %34 ]
  %222 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !103
  tail call void %222(ptr noundef %221) #17
  ret ptr %221
}

; Function Attrs: nofree nounwind uwtable
define internal ptr @allocate_workspace(i32 %0, i32 %1, i64 noundef %2, i32 %3, i32 %4) #8 {
  %6 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #17
  %7 = icmp eq i64 %2, 0
  %8 = select i1 %7, i64 64, i64 %2
  %9 = call i32 @posix_memalign(ptr noundef nonnull %6, i64 noundef 64, i64 noundef %8) #17
  %10 = icmp eq i32 %9, 0
  %11 = load ptr, ptr %6, align 8
  %12 = select i1 %10, ptr %11, ptr null
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #17
  ret ptr %12
}

; Function Attrs: mustprogress nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) uwtable
define internal noundef i32 @free_workspace(i32 %0, i32 %1, ptr noundef captures(none) %2) #9 {
  tail call void @free(ptr noundef %2) #17
  ret i32 0
}

; Function Attrs: nounwind uwtable
define internal range(i32 -1, 1) i32 @find_packed(ptr readnone captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2) #1 {
  %4 = alloca [4096 x i8], align 16
  %5 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %1, ptr noundef nonnull dereferenceable(27) @.str.7) #27
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %13, label %7

7:                                                ; preds = %3
  %8 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %1, ptr noundef nonnull dereferenceable(19) @.str.8) #27
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %13, label %10

10:                                               ; preds = %7
  %11 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %1, ptr noundef nonnull dereferenceable(22) @.str.9) #27
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %13, label %16

13:                                               ; preds = %10, %7, %3
  %14 = phi ptr [ @packed, %3 ], [ getelementptr inbounds nuw (i8, ptr @packed, i64 16), %7 ], [ getelementptr inbounds nuw (i8, ptr @packed, i64 32), %10 ]
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 8
  store ptr %15, ptr %2, align 8, !tbaa !11
  br label %59

16:                                               ; preds = %10
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #17
  br label %37

17:                                               ; preds = %37
  %18 = load i8, ptr %1, align 1, !tbaa !10
  %19 = icmp ne i8 %18, 0
  %20 = icmp samesign ult i64 %44, 4094
  %21 = select i1 %19, i1 %20, i1 false
  br i1 %21, label %22, label %33

22:                                               ; preds = %17, %22
  %23 = phi i8 [ %29, %22 ], [ %18, %17 ]
  %24 = phi i64 [ %26, %22 ], [ %49, %17 ]
  %25 = phi ptr [ %28, %22 ], [ %1, %17 ]
  %26 = add nuw nsw i64 %24, 1
  %27 = getelementptr inbounds nuw i8, ptr %4, i64 %24
  store i8 %23, ptr %27, align 1, !tbaa !10
  %28 = getelementptr inbounds nuw i8, ptr %25, i64 1
  %29 = load i8, ptr %28, align 1, !tbaa !10
  %30 = icmp ne i8 %29, 0
  %31 = icmp samesign ult i64 %24, 4094
  %32 = and i1 %30, %31
  br i1 %32, label %22, label %33, !llvm.loop !17

33:                                               ; preds = %22, %17
  %34 = phi i64 [ %49, %17 ], [ %26, %22 ]
  %35 = getelementptr inbounds nuw i8, ptr %4, i64 %34
  store i8 0, ptr %35, align 1, !tbaa !10
  %36 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  call void %36(ptr noundef nonnull @.str.2, ptr noundef nonnull %4) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #17
  br label %59

37:                                               ; preds = %54, %16
  %38 = phi i8 [ 116, %16 ], [ %58, %54 ]
  %39 = phi i64 [ 0, %16 ], [ %55, %54 ]
  %40 = phi ptr [ @.str.6, %16 ], [ %57, %54 ]
  %41 = getelementptr inbounds nuw i8, ptr %4, i64 %39
  store i8 %38, ptr %41, align 4, !tbaa !10
  %42 = getelementptr inbounds nuw i8, ptr %40, i64 1
  %43 = load i8, ptr %42, align 1, !tbaa !10
  %44 = or disjoint i64 %39, 2
  %45 = getelementptr inbounds nuw i8, ptr %4, i64 %39
  %46 = getelementptr inbounds nuw i8, ptr %45, i64 1
  store i8 %43, ptr %46, align 1, !tbaa !10
  %47 = getelementptr inbounds nuw i8, ptr %40, i64 2
  %48 = load i8, ptr %47, align 1, !tbaa !10
  %49 = or disjoint i64 %39, 3
  %50 = getelementptr inbounds nuw i8, ptr %4, i64 %44
  store i8 %48, ptr %50, align 2, !tbaa !10
  %51 = getelementptr inbounds nuw i8, ptr %40, i64 3
  %52 = load i8, ptr %51, align 1, !tbaa !10
  %53 = icmp eq i8 %52, 0
  br i1 %53, label %17, label %54, !llvm.loop !17

54:                                               ; preds = %37
  %55 = add nuw nsw i64 %39, 4
  %56 = getelementptr inbounds nuw i8, ptr %4, i64 %49
  store i8 %52, ptr %56, align 1, !tbaa !10
  %57 = getelementptr inbounds nuw i8, ptr %40, i64 4
  %58 = load i8, ptr %57, align 1, !tbaa !10
  br label %37

59:                                               ; preds = %13, %33
  %60 = phi i32 [ -1, %33 ], [ 0, %13 ]
  ret i32 %60
}

; Function Attrs: nounwind uwtable
define internal range(i32 -1, 1) i32 @find_once(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1) #1 {
  %3 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #17
  %4 = load atomic i64, ptr %0 seq_cst, align 8
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %6, label %12

6:                                                ; preds = %2
  %7 = call i32 %1(ptr noundef nonnull %3) #17
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %9, label %12

9:                                                ; preds = %6
  %10 = load ptr, ptr %3, align 8, !tbaa !11
  %11 = ptrtoint ptr %10 to i64
  store atomic i64 %11, ptr %0 seq_cst, align 8
  br label %12

12:                                               ; preds = %6, %2, %9
  %13 = phi i32 [ 0, %9 ], [ 0, %2 ], [ -1, %6 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #17
  ret i32 %13
}

; Function Attrs: nounwind uwtable
define internal i32 @call_found(ptr noundef readonly captures(none) %0, ptr noundef %1, i32 noundef %2, ptr noundef %3) #1 {
  %5 = load ptr, ptr %0, align 8, !tbaa !11
  %6 = tail call i32 %5(ptr noundef null, ptr noundef %1, i32 noundef %2, ptr noundef %3) #17
  ret i32 %6
}

; Function Attrs: nounwind
declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr #10

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #11

; Function Attrs: nounwind uwtable
define internal fastcc void @compute(ptr noundef nonnull %0, i32 noundef %1) unnamed_addr #1 {
  %3 = alloca %struct.timespec, align 8
  %4 = alloca %struct.timespec, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #17
  %5 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #17
  %6 = load i64, ptr %4, align 8, !tbaa !29
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %8 = load i64, ptr %7, align 8, !tbaa !31
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #17
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %10 = load i32, ptr %9, align 8, !tbaa !41
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
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #17
  %19 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #17
  %20 = load i64, ptr %3, align 8, !tbaa !29
  %21 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %22 = load i64, ptr %21, align 8, !tbaa !31
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #17
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
  %37 = load i32, ptr %35, align 4, !tbaa !51
  %38 = icmp slt i32 %36, %37
  br i1 %38, label %39, label %55

39:                                               ; preds = %28, %49
  %40 = atomicrmw add ptr %34, i32 1 seq_cst, align 64
  %41 = load i32, ptr %35, align 4, !tbaa !51
  %42 = icmp slt i32 %40, %41
  br i1 %42, label %43, label %49

43:                                               ; preds = %39
  %44 = load ptr, ptr %0, align 64, !tbaa !36
  %45 = load ptr, ptr %15, align 8, !tbaa !38
  %46 = call i32 %44(i32 noundef %40, ptr noundef nonnull %14, ptr noundef %45) #17
  %47 = icmp eq i32 %46, 0
  br i1 %47, label %49, label %48

48:                                               ; preds = %43
  store atomic i32 1, ptr %16 seq_cst, align 4
  br label %49

49:                                               ; preds = %48, %43, %39
  %50 = load atomic i32, ptr %34 monotonic, align 64
  %51 = load i32, ptr %35, align 4, !tbaa !51
  %52 = icmp slt i32 %50, %51
  br i1 %52, label %39, label %53, !llvm.loop !123

53:                                               ; preds = %49
  %54 = load i32, ptr %9, align 8, !tbaa !41
  br label %55

55:                                               ; preds = %53, %28
  %56 = phi i32 [ %54, %53 ], [ %29, %28 ]
  %57 = add nuw nsw i32 %30, 1
  %58 = icmp slt i32 %57, %56
  br i1 %58, label %28, label %17, !llvm.loop !124
}

; Function Attrs: nounwind
declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #10

; Function Attrs: nounwind
declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #10

; Function Attrs: nounwind
declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #10

; Function Attrs: nounwind
declare i32 @pthread_cond_broadcast(ptr noundef) local_unnamed_addr #10

; Function Attrs: nounwind
declare i32 @sigfillset(ptr noundef) local_unnamed_addr #10

; Function Attrs: nounwind
declare i32 @pthread_sigmask(i32 noundef, ptr noundef, ptr noundef) local_unnamed_addr #10

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #12

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #10

; Function Attrs: noreturn nounwind uwtable
define internal noalias noundef nonnull ptr @work(ptr noundef captures(none) %0) #13 {
  %2 = alloca %struct.timespec, align 8
  %3 = alloca [64 x i8], align 16
  %4 = alloca ptr, align 8
  %5 = alloca %struct.timespec, align 8
  %6 = alloca [64 x i8], align 16
  %7 = alloca ptr, align 8
  %8 = alloca %struct.timespec, align 8
  %9 = load ptr, ptr %0, align 8, !tbaa !11
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %11 = load i32, ptr %10, align 8, !tbaa !6
  tail call void @free(ptr noundef %0) #17
  %12 = tail call i32 (ptr, i32, ...) @open(ptr noundef nonnull @.str.5, i32 noundef 524288) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #17
  %13 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %8) #17
  %14 = load i64, ptr %8, align 8, !tbaa !29
  %15 = mul nsw i64 %14, 1000000000
  %16 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %17 = load i64, ptr %16, align 8, !tbaa !31
  %18 = add nsw i64 %15, %17
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #17
  %19 = call i64 @pread(i32 noundef %12, ptr noundef nonnull %6, i64 noundef 63, i64 noundef 0) #17
  %20 = icmp slt i64 %19, 1
  br i1 %20, label %26, label %21

21:                                               ; preds = %1
  %22 = getelementptr inbounds nuw i8, ptr %6, i64 %19
  store i8 0, ptr %22, align 1, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #17
  %23 = call i64 @strtoll(ptr noundef nonnull %6, ptr noundef nonnull %7, i32 noundef 10) #17
  %24 = load ptr, ptr %7, align 8, !tbaa !13
  %25 = call i64 @strtoll(ptr noundef captures(none) %24, ptr noundef null, i32 noundef 10) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #17
  br label %26

26:                                               ; preds = %1, %21
  %27 = phi i64 [ %25, %21 ], [ 0, %1 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #17
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
  %44 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #17
  %45 = load atomic i32, ptr %29 seq_cst, align 8
  %46 = load ptr, ptr %30, align 8, !tbaa !47
  %47 = icmp eq ptr %46, null
  br i1 %47, label %83, label %48

48:                                               ; preds = %43, %66
  %49 = phi ptr [ %68, %66 ], [ %46, %43 ]
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 64
  %51 = getelementptr inbounds nuw i8, ptr %49, i64 56
  %52 = load i32, ptr %51, align 8, !tbaa !41
  %53 = icmp sgt i32 %52, 0
  br i1 %53, label %54, label %66

54:                                               ; preds = %48
  %55 = zext nneg i32 %52 to i64
  br label %59

56:                                               ; preds = %59
  %57 = add nuw nsw i64 %60, 1
  %58 = icmp eq i64 %57, %55
  br i1 %58, label %66, label %59, !llvm.loop !125

59:                                               ; preds = %56, %54
  %60 = phi i64 [ 0, %54 ], [ %57, %56 ]
  %61 = getelementptr inbounds nuw %struct.Share, ptr %50, i64 %60
  %62 = load atomic i32, ptr %61 monotonic, align 64
  %63 = getelementptr inbounds nuw i8, ptr %61, i64 4
  %64 = load i32, ptr %63, align 4, !tbaa !51
  %65 = icmp slt i32 %62, %64
  br i1 %65, label %70, label %56

66:                                               ; preds = %56, %48
  %67 = getelementptr inbounds nuw i8, ptr %49, i64 32
  %68 = load ptr, ptr %67, align 8, !tbaa !47
  %69 = icmp eq ptr %68, null
  br i1 %69, label %83, label %48, !llvm.loop !126

70:                                               ; preds = %59
  %71 = getelementptr inbounds nuw i8, ptr %49, i64 40
  %72 = atomicrmw add ptr %71, i32 1 seq_cst, align 8
  %73 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #17
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
  %81 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #17
  %82 = call i32 @pthread_cond_broadcast(ptr noundef nonnull %32) #17
  br label %206

83:                                               ; preds = %43, %66
  %84 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #17
  %85 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #17
  %86 = load i64, ptr %5, align 8, !tbaa !29
  %87 = mul nsw i64 %86, 1000000000
  %88 = load i64, ptr %33, align 8, !tbaa !31
  %89 = add nsw i64 %87, %88
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #17
  %90 = load i32, ptr %34, align 4, !tbaa !35
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
  %105 = load i32, ptr %34, align 4, !tbaa !35
  %106 = icmp eq i32 %105, 0
  br i1 %106, label %133, label %107

107:                                              ; preds = %104
  %108 = load atomic i64, ptr %35 seq_cst, align 8
  %109 = icmp slt i64 %95, %108
  br i1 %109, label %133, label %110

110:                                              ; preds = %107
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #17
  %111 = call i64 @pread(i32 noundef %12, ptr noundef nonnull %3, i64 noundef 63, i64 noundef 0) #17
  %112 = icmp slt i64 %111, 1
  br i1 %112, label %118, label %113

113:                                              ; preds = %110
  %114 = getelementptr inbounds nuw i8, ptr %3, i64 %111
  store i8 0, ptr %114, align 1, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #17
  %115 = call i64 @strtoll(ptr noundef nonnull %3, ptr noundef nonnull %4, i32 noundef 10) #17
  %116 = load ptr, ptr %4, align 8, !tbaa !13
  %117 = call i64 @strtoll(ptr noundef captures(none) %116, ptr noundef null, i32 noundef 10) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #17
  br label %118

118:                                              ; preds = %113, %110
  %119 = phi i64 [ %117, %113 ], [ 0, %110 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #17
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
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #17
  %184 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %2) #17
  %185 = load i64, ptr %2, align 8, !tbaa !29
  %186 = mul nsw i64 %185, 1000000000
  %187 = load i64, ptr %37, align 8, !tbaa !31
  %188 = add nsw i64 %186, %187
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #17
  %189 = load i32, ptr %34, align 4, !tbaa !35
  %190 = icmp eq i32 %189, 0
  br i1 %190, label %191, label %92, !llvm.loop !127

191:                                              ; preds = %183, %92, %83
  %192 = phi i64 [ %41, %83 ], [ %134, %183 ], [ %93, %92 ]
  %193 = phi i64 [ %42, %83 ], [ %135, %183 ], [ %94, %92 ]
  %194 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #17
  %195 = load i32, ptr %38, align 8, !tbaa !46
  %196 = add nsw i32 %195, 1
  store i32 %196, ptr %38, align 8, !tbaa !46
  %197 = load atomic i32, ptr %29 seq_cst, align 8
  %198 = icmp eq i32 %197, %45
  br i1 %198, label %199, label %203

199:                                              ; preds = %191, %199
  %200 = call i32 @pthread_cond_wait(ptr noundef nonnull %39, ptr noundef nonnull %28) #17
  %201 = load atomic i32, ptr %29 seq_cst, align 8
  %202 = icmp eq i32 %201, %45
  br i1 %202, label %199, label %203, !llvm.loop !128

203:                                              ; preds = %199, %191
  %204 = load i32, ptr %38, align 8, !tbaa !46
  %205 = add nsw i32 %204, -1
  store i32 %205, ptr %38, align 8, !tbaa !46
  br label %206

206:                                              ; preds = %80, %203
  %207 = phi i64 [ %41, %80 ], [ %192, %203 ]
  %208 = phi i64 [ %42, %80 ], [ %193, %203 ]
  %209 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #17
  br label %210

210:                                              ; preds = %138, %141, %144, %147, %150, %153, %156, %159, %162, %165, %168, %171, %174, %177, %180, %133, %206
  %211 = phi i64 [ %207, %206 ], [ %134, %133 ], [ %134, %180 ], [ %134, %177 ], [ %134, %174 ], [ %134, %171 ], [ %134, %168 ], [ %134, %165 ], [ %134, %162 ], [ %134, %159 ], [ %134, %156 ], [ %134, %153 ], [ %134, %150 ], [ %134, %147 ], [ %134, %144 ], [ %134, %141 ], [ %134, %138 ]
  %212 = phi i64 [ %208, %206 ], [ %135, %133 ], [ %135, %180 ], [ %135, %177 ], [ %135, %174 ], [ %135, %171 ], [ %135, %168 ], [ %135, %165 ], [ %135, %162 ], [ %135, %159 ], [ %135, %156 ], [ %135, %153 ], [ %135, %150 ], [ %135, %147 ], [ %135, %144 ], [ %135, %141 ], [ %135, %138 ]
  br label %40
}

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #14

; Function Attrs: nounwind
declare i32 @pthread_setname_np(i64 noundef, ptr noundef) local_unnamed_addr #10

; Function Attrs: nounwind
declare i32 @pthread_detach(i64 noundef) local_unnamed_addr #10

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef) local_unnamed_addr #5

; Function Attrs: nofree
declare noundef i32 @open(ptr noundef readonly captures(none), i32 noundef, ...) local_unnamed_addr #15

; Function Attrs: nofree
declare noundef i64 @pread(i32 noundef, ptr noundef captures(none), i64 noundef, i64 noundef) local_unnamed_addr #15

; Function Attrs: mustprogress nocallback nofree nounwind willreturn
declare i64 @strtoll(ptr noundef readonly, ptr noundef captures(none), i32 noundef) local_unnamed_addr #16

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #17

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) uwtable
define internal void @record(ptr noundef writeonly captures(none) initializes((184, 204)) %0, ptr noundef %1, i64 noundef %2, i32 noundef %3) #3 {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 184
  store ptr %1, ptr %5, align 8, !tbaa !18
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 192
  store i64 %2, ptr %6, align 8, !tbaa !27
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 200
  store i32 %3, ptr %7, align 8, !tbaa !25
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable
define internal i64 @recorded(ptr noundef captures(none) initializes((184, 192)) %0) #18 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 184
  store ptr null, ptr %2, align 8, !tbaa !18
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %4 = load i64, ptr %3, align 8, !tbaa !27
  ret i64 %4
}

; Function Attrs: nounwind
declare i32 @pthread_key_create(ptr noundef, ptr noundef) local_unnamed_addr #10

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define internal noundef nonnull ptr @install(ptr noundef %0) #19 {
  store ptr %0, ptr @tvm, align 8, !tbaa !11
  ret ptr @launch
}

; Function Attrs: nounwind uwtable
define internal noundef ptr @make_pool(i32 noundef %0, i32 noundef %1) #1 {
  %3 = tail call noalias dereferenceable_or_null(16592) ptr @calloc(i64 noundef 1, i64 noundef 16592) #28
  %4 = icmp eq ptr %3, null
  br i1 %4, label %14, label %5

5:                                                ; preds = %2
  store i32 %0, ptr %3, align 8, !tbaa !33
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 %1, ptr %6, align 4, !tbaa !35
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %8 = tail call i32 @pthread_mutex_init(ptr noundef nonnull %7, ptr noundef null) #17
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 48
  %10 = tail call i32 @pthread_cond_init(ptr noundef nonnull %9, ptr noundef null) #17
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 96
  %12 = tail call i32 @pthread_cond_init(ptr noundef nonnull %11, ptr noundef null) #17
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 176
  store i64 20000000, ptr %13, align 8, !tbaa !10
  br label %14

14:                                               ; preds = %2, %5
  ret ptr %3
}

; Function Attrs: nounwind uwtable
define internal void @use(ptr noundef %0) #1 {
  %2 = load i32, ptr @chosen, align 4, !tbaa !6
  %3 = tail call i32 @pthread_setspecific(i32 noundef %2, ptr noundef %0) #17
  ret void
}

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #20

; Function Attrs: nounwind
declare i32 @pthread_mutex_init(ptr noundef, ptr noundef) local_unnamed_addr #10

; Function Attrs: nounwind
declare i32 @pthread_cond_init(ptr noundef, ptr noundef) local_unnamed_addr #10

; Function Attrs: nounwind
declare i32 @pthread_setspecific(i32 noundef, ptr noundef) local_unnamed_addr #10

; Function Attrs: nofree nounwind
declare i32 @posix_memalign(ptr noundef, i64 noundef, i64 noundef) local_unnamed_addr #21

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: read)
declare i32 @strcmp(ptr noundef captures(none), ptr noundef captures(none)) local_unnamed_addr #22

; Function Attrs: nounwind uwtable
define internal noundef i32 @refuse_index(ptr readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 %2, ptr readnone captures(none) %3) #1 {
  %5 = alloca [20 x i8], align 16
  %6 = alloca [20 x i8], align 16
  %7 = alloca [20 x i8], align 16
  %8 = alloca [20 x i8], align 16
  %9 = alloca [512 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #17
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(22) %9, ptr noundef nonnull align 1 dereferenceable(22) @.str.10, i64 22, i1 false)
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %11 = load i64, ptr %10, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #17
  %12 = tail call i64 @llvm.abs.i64(i64 %11, i1 false)
  br label %13

13:                                               ; preds = %13, %4
  %14 = phi i32 [ %24, %13 ], [ 1, %4 ]
  %15 = phi i64 [ %20, %13 ], [ 0, %4 ]
  %16 = phi i64 [ %22, %13 ], [ %12, %4 ]
  %17 = urem i64 %16, 10
  %18 = trunc nuw nsw i64 %17 to i8
  %19 = or disjoint i8 %18, 48
  %20 = add nuw nsw i64 %15, 1
  %21 = getelementptr inbounds nuw i8, ptr %8, i64 %15
  store i8 %19, ptr %21, align 1, !tbaa !10
  %22 = udiv i64 %16, 10
  %23 = icmp ult i64 %16, 10
  %24 = add i32 %14, 1
  br i1 %23, label %25, label %13, !llvm.loop !129

25:                                               ; preds = %13
  %26 = getelementptr inbounds nuw i8, ptr %9, i64 22
  %27 = icmp slt i64 %11, 0
  br i1 %27, label %28, label %30

28:                                               ; preds = %25
  %29 = getelementptr inbounds nuw i8, ptr %9, i64 23
  store i8 45, ptr %26, align 2, !tbaa !10
  br label %30

30:                                               ; preds = %28, %25
  %31 = phi ptr [ %29, %28 ], [ %26, %25 ]
  %32 = sext i32 %14 to i64
  %33 = add nsw i64 %32, -1
  %34 = and i64 %32, 7
  %35 = and i32 %14, 7
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %47, label %37

37:                                               ; preds = %30, %37
  %38 = phi i64 [ %41, %37 ], [ %32, %30 ]
  %39 = phi ptr [ %44, %37 ], [ %31, %30 ]
  %40 = phi i64 [ %45, %37 ], [ 0, %30 ]
  %41 = add nsw i64 %38, -1
  %42 = getelementptr inbounds i8, ptr %8, i64 %41
  %43 = load i8, ptr %42, align 1, !tbaa !10
  %44 = getelementptr inbounds nuw i8, ptr %39, i64 1
  store i8 %43, ptr %39, align 1, !tbaa !10
  %45 = add i64 %40, 1
  %46 = icmp eq i64 %45, %34
  br i1 %46, label %47, label %37, !llvm.loop !130

47:                                               ; preds = %37, %30
  %48 = phi ptr [ poison, %30 ], [ %39, %37 ]
  %49 = phi ptr [ poison, %30 ], [ %44, %37 ]
  %50 = phi i64 [ %32, %30 ], [ %41, %37 ]
  %51 = phi ptr [ %31, %30 ], [ %44, %37 ]
  %52 = icmp ult i64 %33, 7
  br i1 %52, label %91, label %53

53:                                               ; preds = %47, %53
  %54 = phi i64 [ %84, %53 ], [ %50, %47 ]
  %55 = phi ptr [ %87, %53 ], [ %51, %47 ]
  %56 = getelementptr i8, ptr %8, i64 %54
  %57 = getelementptr i8, ptr %56, i64 -1
  %58 = load i8, ptr %57, align 1, !tbaa !10
  %59 = getelementptr inbounds nuw i8, ptr %55, i64 1
  store i8 %58, ptr %55, align 1, !tbaa !10
  %60 = getelementptr i8, ptr %8, i64 %54
  %61 = getelementptr i8, ptr %60, i64 -2
  %62 = load i8, ptr %61, align 1, !tbaa !10
  %63 = getelementptr inbounds nuw i8, ptr %55, i64 2
  store i8 %62, ptr %59, align 1, !tbaa !10
  %64 = getelementptr i8, ptr %8, i64 %54
  %65 = getelementptr i8, ptr %64, i64 -3
  %66 = load i8, ptr %65, align 1, !tbaa !10
  %67 = getelementptr inbounds nuw i8, ptr %55, i64 3
  store i8 %66, ptr %63, align 1, !tbaa !10
  %68 = getelementptr i8, ptr %8, i64 %54
  %69 = getelementptr i8, ptr %68, i64 -4
  %70 = load i8, ptr %69, align 1, !tbaa !10
  %71 = getelementptr inbounds nuw i8, ptr %55, i64 4
  store i8 %70, ptr %67, align 1, !tbaa !10
  %72 = getelementptr i8, ptr %8, i64 %54
  %73 = getelementptr i8, ptr %72, i64 -5
  %74 = load i8, ptr %73, align 1, !tbaa !10
  %75 = getelementptr inbounds nuw i8, ptr %55, i64 5
  store i8 %74, ptr %71, align 1, !tbaa !10
  %76 = getelementptr i8, ptr %8, i64 %54
  %77 = getelementptr i8, ptr %76, i64 -6
  %78 = load i8, ptr %77, align 1, !tbaa !10
  %79 = getelementptr inbounds nuw i8, ptr %55, i64 6
  store i8 %78, ptr %75, align 1, !tbaa !10
  %80 = getelementptr i8, ptr %8, i64 %54
  %81 = getelementptr i8, ptr %80, i64 -7
  %82 = load i8, ptr %81, align 1, !tbaa !10
  %83 = getelementptr inbounds nuw i8, ptr %55, i64 7
  store i8 %82, ptr %79, align 1, !tbaa !10
  %84 = add nsw i64 %54, -8
  %85 = getelementptr inbounds i8, ptr %8, i64 %84
  %86 = load i8, ptr %85, align 1, !tbaa !10
  %87 = getelementptr inbounds nuw i8, ptr %55, i64 8
  store i8 %86, ptr %83, align 1, !tbaa !10
  %88 = icmp eq i64 %84, 0
  br i1 %88, label %89, label %53, !llvm.loop !131

89:                                               ; preds = %53
  %90 = getelementptr inbounds nuw i8, ptr %55, i64 7
  br label %91

91:                                               ; preds = %47, %89
  %92 = phi ptr [ %48, %47 ], [ %90, %89 ]
  %93 = phi ptr [ %49, %47 ], [ %87, %89 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #17
  store i32 544175136, ptr %93, align 1
  %94 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %95 = load i64, ptr %94, align 8, !tbaa !10
  %96 = add nsw i64 %95, -1
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #17
  %97 = tail call i64 @llvm.abs.i64(i64 %96, i1 false)
  br label %98

98:                                               ; preds = %98, %91
  %99 = phi i32 [ %109, %98 ], [ 1, %91 ]
  %100 = phi i64 [ %105, %98 ], [ 0, %91 ]
  %101 = phi i64 [ %107, %98 ], [ %97, %91 ]
  %102 = urem i64 %101, 10
  %103 = trunc nuw nsw i64 %102 to i8
  %104 = or disjoint i8 %103, 48
  %105 = add nuw nsw i64 %100, 1
  %106 = getelementptr inbounds nuw i8, ptr %7, i64 %100
  store i8 %104, ptr %106, align 1, !tbaa !10
  %107 = udiv i64 %101, 10
  %108 = icmp ult i64 %101, 10
  %109 = add i32 %99, 1
  br i1 %108, label %110, label %98, !llvm.loop !129

110:                                              ; preds = %98
  %111 = getelementptr inbounds nuw i8, ptr %92, i64 5
  %112 = icmp slt i64 %95, 1
  br i1 %112, label %113, label %115

113:                                              ; preds = %110
  %114 = getelementptr inbounds nuw i8, ptr %92, i64 6
  store i8 45, ptr %111, align 1, !tbaa !10
  br label %115

115:                                              ; preds = %113, %110
  %116 = phi ptr [ %114, %113 ], [ %111, %110 ]
  %117 = sext i32 %99 to i64
  %118 = add nsw i64 %117, -1
  %119 = and i64 %117, 7
  %120 = and i32 %99, 7
  %121 = icmp eq i32 %120, 0
  br i1 %121, label %132, label %122

122:                                              ; preds = %115, %122
  %123 = phi i64 [ %126, %122 ], [ %117, %115 ]
  %124 = phi ptr [ %129, %122 ], [ %116, %115 ]
  %125 = phi i64 [ %130, %122 ], [ 0, %115 ]
  %126 = add nsw i64 %123, -1
  %127 = getelementptr inbounds i8, ptr %7, i64 %126
  %128 = load i8, ptr %127, align 1, !tbaa !10
  %129 = getelementptr inbounds nuw i8, ptr %124, i64 1
  store i8 %128, ptr %124, align 1, !tbaa !10
  %130 = add i64 %125, 1
  %131 = icmp eq i64 %130, %119
  br i1 %131, label %132, label %122, !llvm.loop !132

132:                                              ; preds = %122, %115
  %133 = phi ptr [ poison, %115 ], [ %124, %122 ]
  %134 = phi ptr [ poison, %115 ], [ %129, %122 ]
  %135 = phi i64 [ %117, %115 ], [ %126, %122 ]
  %136 = phi ptr [ %116, %115 ], [ %129, %122 ]
  %137 = icmp ult i64 %118, 7
  br i1 %137, label %176, label %138

138:                                              ; preds = %132, %138
  %139 = phi i64 [ %169, %138 ], [ %135, %132 ]
  %140 = phi ptr [ %172, %138 ], [ %136, %132 ]
  %141 = getelementptr i8, ptr %7, i64 %139
  %142 = getelementptr i8, ptr %141, i64 -1
  %143 = load i8, ptr %142, align 1, !tbaa !10
  %144 = getelementptr inbounds nuw i8, ptr %140, i64 1
  store i8 %143, ptr %140, align 1, !tbaa !10
  %145 = getelementptr i8, ptr %7, i64 %139
  %146 = getelementptr i8, ptr %145, i64 -2
  %147 = load i8, ptr %146, align 1, !tbaa !10
  %148 = getelementptr inbounds nuw i8, ptr %140, i64 2
  store i8 %147, ptr %144, align 1, !tbaa !10
  %149 = getelementptr i8, ptr %7, i64 %139
  %150 = getelementptr i8, ptr %149, i64 -3
  %151 = load i8, ptr %150, align 1, !tbaa !10
  %152 = getelementptr inbounds nuw i8, ptr %140, i64 3
  store i8 %151, ptr %148, align 1, !tbaa !10
  %153 = getelementptr i8, ptr %7, i64 %139
  %154 = getelementptr i8, ptr %153, i64 -4
  %155 = load i8, ptr %154, align 1, !tbaa !10
  %156 = getelementptr inbounds nuw i8, ptr %140, i64 4
  store i8 %155, ptr %152, align 1, !tbaa !10
  %157 = getelementptr i8, ptr %7, i64 %139
  %158 = getelementptr i8, ptr %157, i64 -5
  %159 = load i8, ptr %158, align 1, !tbaa !10
  %160 = getelementptr inbounds nuw i8, ptr %140, i64 5
  store i8 %159, ptr %156, align 1, !tbaa !10
  %161 = getelementptr i8, ptr %7, i64 %139
  %162 = getelementptr i8, ptr %161, i64 -6
  %163 = load i8, ptr %162, align 1, !tbaa !10
  %164 = getelementptr inbounds nuw i8, ptr %140, i64 6
  store i8 %163, ptr %160, align 1, !tbaa !10
  %165 = getelementptr i8, ptr %7, i64 %139
  %166 = getelementptr i8, ptr %165, i64 -7
  %167 = load i8, ptr %166, align 1, !tbaa !10
  %168 = getelementptr inbounds nuw i8, ptr %140, i64 7
  store i8 %167, ptr %164, align 1, !tbaa !10
  %169 = add nsw i64 %139, -8
  %170 = getelementptr inbounds i8, ptr %7, i64 %169
  %171 = load i8, ptr %170, align 1, !tbaa !10
  %172 = getelementptr inbounds nuw i8, ptr %140, i64 8
  store i8 %171, ptr %168, align 1, !tbaa !10
  %173 = icmp eq i64 %169, 0
  br i1 %173, label %174, label %138, !llvm.loop !131

174:                                              ; preds = %138
  %175 = getelementptr inbounds nuw i8, ptr %140, i64 7
  br label %176

176:                                              ; preds = %132, %174
  %177 = phi ptr [ %133, %132 ], [ %175, %174 ]
  %178 = phi ptr [ %134, %132 ], [ %172, %174 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #17
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(13) %178, ptr noundef nonnull align 1 dereferenceable(13) @.str.12, i64 13, i1 false)
  %179 = load i64, ptr %94, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #17
  %180 = tail call i64 @llvm.abs.i64(i64 %179, i1 false)
  br label %181

181:                                              ; preds = %181, %176
  %182 = phi i32 [ %192, %181 ], [ 1, %176 ]
  %183 = phi i64 [ %188, %181 ], [ 0, %176 ]
  %184 = phi i64 [ %190, %181 ], [ %180, %176 ]
  %185 = urem i64 %184, 10
  %186 = trunc nuw nsw i64 %185 to i8
  %187 = or disjoint i8 %186, 48
  %188 = add nuw nsw i64 %183, 1
  %189 = getelementptr inbounds nuw i8, ptr %6, i64 %183
  store i8 %187, ptr %189, align 1, !tbaa !10
  %190 = udiv i64 %184, 10
  %191 = icmp ult i64 %184, 10
  %192 = add i32 %182, 1
  br i1 %191, label %193, label %181, !llvm.loop !129

193:                                              ; preds = %181
  %194 = getelementptr inbounds nuw i8, ptr %177, i64 14
  %195 = icmp slt i64 %179, 0
  br i1 %195, label %196, label %198

196:                                              ; preds = %193
  %197 = getelementptr inbounds nuw i8, ptr %177, i64 15
  store i8 45, ptr %194, align 1, !tbaa !10
  br label %198

198:                                              ; preds = %196, %193
  %199 = phi ptr [ %197, %196 ], [ %194, %193 ]
  %200 = sext i32 %182 to i64
  %201 = add nsw i64 %200, -1
  %202 = and i64 %200, 7
  %203 = and i32 %182, 7
  %204 = icmp eq i32 %203, 0
  br i1 %204, label %215, label %205

205:                                              ; preds = %198, %205
  %206 = phi i64 [ %209, %205 ], [ %200, %198 ]
  %207 = phi ptr [ %212, %205 ], [ %199, %198 ]
  %208 = phi i64 [ %213, %205 ], [ 0, %198 ]
  %209 = add nsw i64 %206, -1
  %210 = getelementptr inbounds i8, ptr %6, i64 %209
  %211 = load i8, ptr %210, align 1, !tbaa !10
  %212 = getelementptr inbounds nuw i8, ptr %207, i64 1
  store i8 %211, ptr %207, align 1, !tbaa !10
  %213 = add i64 %208, 1
  %214 = icmp eq i64 %213, %202
  br i1 %214, label %215, label %205, !llvm.loop !133

215:                                              ; preds = %205, %198
  %216 = phi ptr [ poison, %198 ], [ %207, %205 ]
  %217 = phi ptr [ poison, %198 ], [ %212, %205 ]
  %218 = phi i64 [ %200, %198 ], [ %209, %205 ]
  %219 = phi ptr [ %199, %198 ], [ %212, %205 ]
  %220 = icmp ult i64 %201, 7
  br i1 %220, label %259, label %221

221:                                              ; preds = %215, %221
  %222 = phi i64 [ %252, %221 ], [ %218, %215 ]
  %223 = phi ptr [ %255, %221 ], [ %219, %215 ]
  %224 = getelementptr i8, ptr %6, i64 %222
  %225 = getelementptr i8, ptr %224, i64 -1
  %226 = load i8, ptr %225, align 1, !tbaa !10
  %227 = getelementptr inbounds nuw i8, ptr %223, i64 1
  store i8 %226, ptr %223, align 1, !tbaa !10
  %228 = getelementptr i8, ptr %6, i64 %222
  %229 = getelementptr i8, ptr %228, i64 -2
  %230 = load i8, ptr %229, align 1, !tbaa !10
  %231 = getelementptr inbounds nuw i8, ptr %223, i64 2
  store i8 %230, ptr %227, align 1, !tbaa !10
  %232 = getelementptr i8, ptr %6, i64 %222
  %233 = getelementptr i8, ptr %232, i64 -3
  %234 = load i8, ptr %233, align 1, !tbaa !10
  %235 = getelementptr inbounds nuw i8, ptr %223, i64 3
  store i8 %234, ptr %231, align 1, !tbaa !10
  %236 = getelementptr i8, ptr %6, i64 %222
  %237 = getelementptr i8, ptr %236, i64 -4
  %238 = load i8, ptr %237, align 1, !tbaa !10
  %239 = getelementptr inbounds nuw i8, ptr %223, i64 4
  store i8 %238, ptr %235, align 1, !tbaa !10
  %240 = getelementptr i8, ptr %6, i64 %222
  %241 = getelementptr i8, ptr %240, i64 -5
  %242 = load i8, ptr %241, align 1, !tbaa !10
  %243 = getelementptr inbounds nuw i8, ptr %223, i64 5
  store i8 %242, ptr %239, align 1, !tbaa !10
  %244 = getelementptr i8, ptr %6, i64 %222
  %245 = getelementptr i8, ptr %244, i64 -6
  %246 = load i8, ptr %245, align 1, !tbaa !10
  %247 = getelementptr inbounds nuw i8, ptr %223, i64 6
  store i8 %246, ptr %243, align 1, !tbaa !10
  %248 = getelementptr i8, ptr %6, i64 %222
  %249 = getelementptr i8, ptr %248, i64 -7
  %250 = load i8, ptr %249, align 1, !tbaa !10
  %251 = getelementptr inbounds nuw i8, ptr %223, i64 7
  store i8 %250, ptr %247, align 1, !tbaa !10
  %252 = add nsw i64 %222, -8
  %253 = getelementptr inbounds i8, ptr %6, i64 %252
  %254 = load i8, ptr %253, align 1, !tbaa !10
  %255 = getelementptr inbounds nuw i8, ptr %223, i64 8
  store i8 %254, ptr %251, align 1, !tbaa !10
  %256 = icmp eq i64 %252, 0
  br i1 %256, label %257, label %221, !llvm.loop !131

257:                                              ; preds = %221
  %258 = getelementptr inbounds nuw i8, ptr %223, i64 7
  br label %259

259:                                              ; preds = %215, %257
  %260 = phi ptr [ %216, %215 ], [ %258, %257 ]
  %261 = phi ptr [ %217, %215 ], [ %255, %257 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #17
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(15) %261, ptr noundef nonnull align 1 dereferenceable(15) @.str.13, i64 15, i1 false)
  %262 = getelementptr inbounds nuw i8, ptr %260, i64 16
  %263 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %264 = load ptr, ptr %263, align 8, !tbaa !10
  %265 = tail call i64 @strlen(ptr noundef nonnull readonly dereferenceable(1) %264) #27
  %266 = tail call i64 @llvm.umin.i64(i64 %265, i64 300)
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %262, ptr nonnull readonly align 1 %264, i64 %266, i1 false)
  %267 = getelementptr inbounds nuw i8, ptr %262, i64 %266
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(9) %267, ptr noundef nonnull align 1 dereferenceable(9) @.str.14, i64 9, i1 false)
  %268 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %269 = load i64, ptr %268, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #17
  %270 = tail call i64 @llvm.abs.i64(i64 %269, i1 false)
  br label %271

271:                                              ; preds = %271, %259
  %272 = phi i32 [ %282, %271 ], [ 1, %259 ]
  %273 = phi i64 [ %278, %271 ], [ 0, %259 ]
  %274 = phi i64 [ %280, %271 ], [ %270, %259 ]
  %275 = urem i64 %274, 10
  %276 = trunc nuw nsw i64 %275 to i8
  %277 = or disjoint i8 %276, 48
  %278 = add nuw nsw i64 %273, 1
  %279 = getelementptr inbounds nuw i8, ptr %5, i64 %273
  store i8 %277, ptr %279, align 1, !tbaa !10
  %280 = udiv i64 %274, 10
  %281 = icmp ult i64 %274, 10
  %282 = add i32 %272, 1
  br i1 %281, label %283, label %271, !llvm.loop !129

283:                                              ; preds = %271
  %284 = getelementptr inbounds nuw i8, ptr %267, i64 9
  %285 = icmp slt i64 %269, 0
  br i1 %285, label %286, label %288

286:                                              ; preds = %283
  %287 = getelementptr inbounds nuw i8, ptr %267, i64 10
  store i8 45, ptr %284, align 1, !tbaa !10
  br label %288

288:                                              ; preds = %286, %283
  %289 = phi ptr [ %287, %286 ], [ %284, %283 ]
  %290 = sext i32 %272 to i64
  %291 = add nsw i64 %290, -1
  %292 = and i64 %290, 7
  %293 = and i32 %272, 7
  %294 = icmp eq i32 %293, 0
  br i1 %294, label %305, label %295

295:                                              ; preds = %288, %295
  %296 = phi i64 [ %299, %295 ], [ %290, %288 ]
  %297 = phi ptr [ %302, %295 ], [ %289, %288 ]
  %298 = phi i64 [ %303, %295 ], [ 0, %288 ]
  %299 = add nsw i64 %296, -1
  %300 = getelementptr inbounds i8, ptr %5, i64 %299
  %301 = load i8, ptr %300, align 1, !tbaa !10
  %302 = getelementptr inbounds nuw i8, ptr %297, i64 1
  store i8 %301, ptr %297, align 1, !tbaa !10
  %303 = add i64 %298, 1
  %304 = icmp eq i64 %303, %292
  br i1 %304, label %305, label %295, !llvm.loop !134

305:                                              ; preds = %295, %288
  %306 = phi ptr [ poison, %288 ], [ %302, %295 ]
  %307 = phi i64 [ %290, %288 ], [ %299, %295 ]
  %308 = phi ptr [ %289, %288 ], [ %302, %295 ]
  %309 = icmp ult i64 %291, 7
  br i1 %309, label %346, label %310

310:                                              ; preds = %305, %310
  %311 = phi i64 [ %341, %310 ], [ %307, %305 ]
  %312 = phi ptr [ %344, %310 ], [ %308, %305 ]
  %313 = getelementptr i8, ptr %5, i64 %311
  %314 = getelementptr i8, ptr %313, i64 -1
  %315 = load i8, ptr %314, align 1, !tbaa !10
  %316 = getelementptr inbounds nuw i8, ptr %312, i64 1
  store i8 %315, ptr %312, align 1, !tbaa !10
  %317 = getelementptr i8, ptr %5, i64 %311
  %318 = getelementptr i8, ptr %317, i64 -2
  %319 = load i8, ptr %318, align 1, !tbaa !10
  %320 = getelementptr inbounds nuw i8, ptr %312, i64 2
  store i8 %319, ptr %316, align 1, !tbaa !10
  %321 = getelementptr i8, ptr %5, i64 %311
  %322 = getelementptr i8, ptr %321, i64 -3
  %323 = load i8, ptr %322, align 1, !tbaa !10
  %324 = getelementptr inbounds nuw i8, ptr %312, i64 3
  store i8 %323, ptr %320, align 1, !tbaa !10
  %325 = getelementptr i8, ptr %5, i64 %311
  %326 = getelementptr i8, ptr %325, i64 -4
  %327 = load i8, ptr %326, align 1, !tbaa !10
  %328 = getelementptr inbounds nuw i8, ptr %312, i64 4
  store i8 %327, ptr %324, align 1, !tbaa !10
  %329 = getelementptr i8, ptr %5, i64 %311
  %330 = getelementptr i8, ptr %329, i64 -5
  %331 = load i8, ptr %330, align 1, !tbaa !10
  %332 = getelementptr inbounds nuw i8, ptr %312, i64 5
  store i8 %331, ptr %328, align 1, !tbaa !10
  %333 = getelementptr i8, ptr %5, i64 %311
  %334 = getelementptr i8, ptr %333, i64 -6
  %335 = load i8, ptr %334, align 1, !tbaa !10
  %336 = getelementptr inbounds nuw i8, ptr %312, i64 6
  store i8 %335, ptr %332, align 1, !tbaa !10
  %337 = getelementptr i8, ptr %5, i64 %311
  %338 = getelementptr i8, ptr %337, i64 -7
  %339 = load i8, ptr %338, align 1, !tbaa !10
  %340 = getelementptr inbounds nuw i8, ptr %312, i64 7
  store i8 %339, ptr %336, align 1, !tbaa !10
  %341 = add nsw i64 %311, -8
  %342 = getelementptr inbounds i8, ptr %5, i64 %341
  %343 = load i8, ptr %342, align 1, !tbaa !10
  %344 = getelementptr inbounds nuw i8, ptr %312, i64 8
  store i8 %343, ptr %340, align 1, !tbaa !10
  %345 = icmp eq i64 %341, 0
  br i1 %345, label %346, label %310, !llvm.loop !131

346:                                              ; preds = %310, %305
  %347 = phi ptr [ %306, %305 ], [ %344, %310 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #17
  store i8 0, ptr %347, align 1, !tbaa !10
  %348 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  call void %348(ptr noundef nonnull @.str.15, ptr noundef nonnull %9) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #17
  ret i32 -1
}

; Function Attrs: nounwind uwtable
define internal noundef i32 @refuse_size(ptr readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 %2, ptr readnone captures(none) %3) #1 {
  %5 = alloca [20 x i8], align 16
  %6 = alloca [20 x i8], align 16
  %7 = alloca [512 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #17
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(76) %7, ptr noundef nonnull align 1 dereferenceable(76) @.str.16, i64 76, i1 false)
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 76
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 4 dereferenceable(14) %8, ptr noundef nonnull align 1 dereferenceable(14) @.str.17, i64 14, i1 false)
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %10 = load i64, ptr %9, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #17
  %11 = tail call i64 @llvm.abs.i64(i64 %10, i1 false)
  br label %12

12:                                               ; preds = %12, %4
  %13 = phi i32 [ %23, %12 ], [ 1, %4 ]
  %14 = phi i64 [ %19, %12 ], [ 0, %4 ]
  %15 = phi i64 [ %21, %12 ], [ %11, %4 ]
  %16 = urem i64 %15, 10
  %17 = trunc nuw nsw i64 %16 to i8
  %18 = or disjoint i8 %17, 48
  %19 = add nuw nsw i64 %14, 1
  %20 = getelementptr inbounds nuw i8, ptr %6, i64 %14
  store i8 %18, ptr %20, align 1, !tbaa !10
  %21 = udiv i64 %15, 10
  %22 = icmp ult i64 %15, 10
  %23 = add i32 %13, 1
  br i1 %22, label %24, label %12, !llvm.loop !129

24:                                               ; preds = %12
  %25 = getelementptr inbounds nuw i8, ptr %7, i64 90
  %26 = icmp slt i64 %10, 0
  br i1 %26, label %27, label %29

27:                                               ; preds = %24
  %28 = getelementptr inbounds nuw i8, ptr %7, i64 91
  store i8 45, ptr %25, align 2, !tbaa !10
  br label %29

29:                                               ; preds = %27, %24
  %30 = phi ptr [ %28, %27 ], [ %25, %24 ]
  %31 = sext i32 %13 to i64
  %32 = add nsw i64 %31, -1
  %33 = and i64 %31, 7
  %34 = and i32 %13, 7
  %35 = icmp eq i32 %34, 0
  br i1 %35, label %46, label %36

36:                                               ; preds = %29, %36
  %37 = phi i64 [ %40, %36 ], [ %31, %29 ]
  %38 = phi ptr [ %43, %36 ], [ %30, %29 ]
  %39 = phi i64 [ %44, %36 ], [ 0, %29 ]
  %40 = add nsw i64 %37, -1
  %41 = getelementptr inbounds i8, ptr %6, i64 %40
  %42 = load i8, ptr %41, align 1, !tbaa !10
  %43 = getelementptr inbounds nuw i8, ptr %38, i64 1
  store i8 %42, ptr %38, align 1, !tbaa !10
  %44 = add i64 %39, 1
  %45 = icmp eq i64 %44, %33
  br i1 %45, label %46, label %36, !llvm.loop !135

46:                                               ; preds = %36, %29
  %47 = phi ptr [ poison, %29 ], [ %38, %36 ]
  %48 = phi ptr [ poison, %29 ], [ %43, %36 ]
  %49 = phi i64 [ %31, %29 ], [ %40, %36 ]
  %50 = phi ptr [ %30, %29 ], [ %43, %36 ]
  %51 = icmp ult i64 %32, 7
  br i1 %51, label %90, label %52

52:                                               ; preds = %46, %52
  %53 = phi i64 [ %83, %52 ], [ %49, %46 ]
  %54 = phi ptr [ %86, %52 ], [ %50, %46 ]
  %55 = getelementptr i8, ptr %6, i64 %53
  %56 = getelementptr i8, ptr %55, i64 -1
  %57 = load i8, ptr %56, align 1, !tbaa !10
  %58 = getelementptr inbounds nuw i8, ptr %54, i64 1
  store i8 %57, ptr %54, align 1, !tbaa !10
  %59 = getelementptr i8, ptr %6, i64 %53
  %60 = getelementptr i8, ptr %59, i64 -2
  %61 = load i8, ptr %60, align 1, !tbaa !10
  %62 = getelementptr inbounds nuw i8, ptr %54, i64 2
  store i8 %61, ptr %58, align 1, !tbaa !10
  %63 = getelementptr i8, ptr %6, i64 %53
  %64 = getelementptr i8, ptr %63, i64 -3
  %65 = load i8, ptr %64, align 1, !tbaa !10
  %66 = getelementptr inbounds nuw i8, ptr %54, i64 3
  store i8 %65, ptr %62, align 1, !tbaa !10
  %67 = getelementptr i8, ptr %6, i64 %53
  %68 = getelementptr i8, ptr %67, i64 -4
  %69 = load i8, ptr %68, align 1, !tbaa !10
  %70 = getelementptr inbounds nuw i8, ptr %54, i64 4
  store i8 %69, ptr %66, align 1, !tbaa !10
  %71 = getelementptr i8, ptr %6, i64 %53
  %72 = getelementptr i8, ptr %71, i64 -5
  %73 = load i8, ptr %72, align 1, !tbaa !10
  %74 = getelementptr inbounds nuw i8, ptr %54, i64 5
  store i8 %73, ptr %70, align 1, !tbaa !10
  %75 = getelementptr i8, ptr %6, i64 %53
  %76 = getelementptr i8, ptr %75, i64 -6
  %77 = load i8, ptr %76, align 1, !tbaa !10
  %78 = getelementptr inbounds nuw i8, ptr %54, i64 6
  store i8 %77, ptr %74, align 1, !tbaa !10
  %79 = getelementptr i8, ptr %6, i64 %53
  %80 = getelementptr i8, ptr %79, i64 -7
  %81 = load i8, ptr %80, align 1, !tbaa !10
  %82 = getelementptr inbounds nuw i8, ptr %54, i64 7
  store i8 %81, ptr %78, align 1, !tbaa !10
  %83 = add nsw i64 %53, -8
  %84 = getelementptr inbounds i8, ptr %6, i64 %83
  %85 = load i8, ptr %84, align 1, !tbaa !10
  %86 = getelementptr inbounds nuw i8, ptr %54, i64 8
  store i8 %85, ptr %82, align 1, !tbaa !10
  %87 = icmp eq i64 %83, 0
  br i1 %87, label %88, label %52, !llvm.loop !131

88:                                               ; preds = %52
  %89 = getelementptr inbounds nuw i8, ptr %54, i64 7
  br label %90

90:                                               ; preds = %46, %88
  %91 = phi ptr [ %47, %46 ], [ %89, %88 ]
  %92 = phi ptr [ %48, %46 ], [ %86, %88 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #17
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %92, ptr noundef nonnull align 1 dereferenceable(16) @.str.18, i64 16, i1 false)
  %93 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %94 = load i64, ptr %93, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #17
  %95 = tail call i64 @llvm.abs.i64(i64 %94, i1 false)
  br label %96

96:                                               ; preds = %96, %90
  %97 = phi i32 [ %107, %96 ], [ 1, %90 ]
  %98 = phi i64 [ %103, %96 ], [ 0, %90 ]
  %99 = phi i64 [ %105, %96 ], [ %95, %90 ]
  %100 = urem i64 %99, 10
  %101 = trunc nuw nsw i64 %100 to i8
  %102 = or disjoint i8 %101, 48
  %103 = add nuw nsw i64 %98, 1
  %104 = getelementptr inbounds nuw i8, ptr %5, i64 %98
  store i8 %102, ptr %104, align 1, !tbaa !10
  %105 = udiv i64 %99, 10
  %106 = icmp ult i64 %99, 10
  %107 = add i32 %97, 1
  br i1 %106, label %108, label %96, !llvm.loop !129

108:                                              ; preds = %96
  %109 = getelementptr inbounds nuw i8, ptr %91, i64 17
  %110 = icmp slt i64 %94, 0
  br i1 %110, label %111, label %113

111:                                              ; preds = %108
  %112 = getelementptr inbounds nuw i8, ptr %91, i64 18
  store i8 45, ptr %109, align 1, !tbaa !10
  br label %113

113:                                              ; preds = %111, %108
  %114 = phi ptr [ %112, %111 ], [ %109, %108 ]
  %115 = sext i32 %97 to i64
  %116 = add nsw i64 %115, -1
  %117 = and i64 %115, 7
  %118 = and i32 %97, 7
  %119 = icmp eq i32 %118, 0
  br i1 %119, label %130, label %120

120:                                              ; preds = %113, %120
  %121 = phi i64 [ %124, %120 ], [ %115, %113 ]
  %122 = phi ptr [ %127, %120 ], [ %114, %113 ]
  %123 = phi i64 [ %128, %120 ], [ 0, %113 ]
  %124 = add nsw i64 %121, -1
  %125 = getelementptr inbounds i8, ptr %5, i64 %124
  %126 = load i8, ptr %125, align 1, !tbaa !10
  %127 = getelementptr inbounds nuw i8, ptr %122, i64 1
  store i8 %126, ptr %122, align 1, !tbaa !10
  %128 = add i64 %123, 1
  %129 = icmp eq i64 %128, %117
  br i1 %129, label %130, label %120, !llvm.loop !136

130:                                              ; preds = %120, %113
  %131 = phi ptr [ poison, %113 ], [ %127, %120 ]
  %132 = phi i64 [ %115, %113 ], [ %124, %120 ]
  %133 = phi ptr [ %114, %113 ], [ %127, %120 ]
  %134 = icmp ult i64 %116, 7
  br i1 %134, label %171, label %135

135:                                              ; preds = %130, %135
  %136 = phi i64 [ %166, %135 ], [ %132, %130 ]
  %137 = phi ptr [ %169, %135 ], [ %133, %130 ]
  %138 = getelementptr i8, ptr %5, i64 %136
  %139 = getelementptr i8, ptr %138, i64 -1
  %140 = load i8, ptr %139, align 1, !tbaa !10
  %141 = getelementptr inbounds nuw i8, ptr %137, i64 1
  store i8 %140, ptr %137, align 1, !tbaa !10
  %142 = getelementptr i8, ptr %5, i64 %136
  %143 = getelementptr i8, ptr %142, i64 -2
  %144 = load i8, ptr %143, align 1, !tbaa !10
  %145 = getelementptr inbounds nuw i8, ptr %137, i64 2
  store i8 %144, ptr %141, align 1, !tbaa !10
  %146 = getelementptr i8, ptr %5, i64 %136
  %147 = getelementptr i8, ptr %146, i64 -3
  %148 = load i8, ptr %147, align 1, !tbaa !10
  %149 = getelementptr inbounds nuw i8, ptr %137, i64 3
  store i8 %148, ptr %145, align 1, !tbaa !10
  %150 = getelementptr i8, ptr %5, i64 %136
  %151 = getelementptr i8, ptr %150, i64 -4
  %152 = load i8, ptr %151, align 1, !tbaa !10
  %153 = getelementptr inbounds nuw i8, ptr %137, i64 4
  store i8 %152, ptr %149, align 1, !tbaa !10
  %154 = getelementptr i8, ptr %5, i64 %136
  %155 = getelementptr i8, ptr %154, i64 -5
  %156 = load i8, ptr %155, align 1, !tbaa !10
  %157 = getelementptr inbounds nuw i8, ptr %137, i64 5
  store i8 %156, ptr %153, align 1, !tbaa !10
  %158 = getelementptr i8, ptr %5, i64 %136
  %159 = getelementptr i8, ptr %158, i64 -6
  %160 = load i8, ptr %159, align 1, !tbaa !10
  %161 = getelementptr inbounds nuw i8, ptr %137, i64 6
  store i8 %160, ptr %157, align 1, !tbaa !10
  %162 = getelementptr i8, ptr %5, i64 %136
  %163 = getelementptr i8, ptr %162, i64 -7
  %164 = load i8, ptr %163, align 1, !tbaa !10
  %165 = getelementptr inbounds nuw i8, ptr %137, i64 7
  store i8 %164, ptr %161, align 1, !tbaa !10
  %166 = add nsw i64 %136, -8
  %167 = getelementptr inbounds i8, ptr %5, i64 %166
  %168 = load i8, ptr %167, align 1, !tbaa !10
  %169 = getelementptr inbounds nuw i8, ptr %137, i64 8
  store i8 %168, ptr %165, align 1, !tbaa !10
  %170 = icmp eq i64 %166, 0
  br i1 %170, label %171, label %135, !llvm.loop !131

171:                                              ; preds = %135, %130
  %172 = phi ptr [ %131, %130 ], [ %169, %135 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #17
  %173 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %174 = load ptr, ptr %173, align 8, !tbaa !10
  %175 = tail call i64 @strlen(ptr noundef nonnull readonly dereferenceable(1) %174) #27
  %176 = tail call i64 @llvm.umin.i64(i64 %175, i64 300)
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %172, ptr nonnull readonly align 1 %174, i64 %176, i1 false)
  %177 = getelementptr inbounds nuw i8, ptr %172, i64 %176
  store i8 0, ptr %177, align 1, !tbaa !10
  %178 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  call void %178(ptr noundef nonnull @.str.19, ptr noundef nonnull %7) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #17
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
  %12 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %9, ptr noundef nonnull dereferenceable(8) @.str.20) #27
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %17, label %14

14:                                               ; preds = %4
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %16 = load ptr, ptr %15, align 8, !tbaa !10
  br label %17

17:                                               ; preds = %4, %14
  %18 = phi ptr [ %16, %14 ], [ null, %4 ]
  %19 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %9, ptr noundef nonnull dereferenceable(7) @.str.21) #27
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
  %35 = load i32, ptr %34, align 8, !tbaa !137
  %36 = sext i32 %35 to i64
  %37 = select i1 %33, i64 %36, i64 0
  %38 = add nsw i64 %32, %37
  %39 = icmp sgt i32 %35, 0
  br i1 %39, label %40, label %68

40:                                               ; preds = %27
  %41 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %42 = zext nneg i32 %35 to i64
  %43 = and i64 %42, 1
  %44 = icmp eq i32 %35, 1
  br i1 %44, label %49, label %45

45:                                               ; preds = %40
  %46 = and i64 %42, 2147483646
  br label %81

47:                                               ; preds = %110
  %48 = icmp eq i64 %43, 0
  br i1 %48, label %64, label %49

49:                                               ; preds = %47, %40
  %50 = phi i64 [ 0, %40 ], [ %113, %47 ]
  %51 = phi i64 [ 1, %40 ], [ %112, %47 ]
  %52 = phi i64 [ 1, %40 ], [ %111, %47 ]
  %53 = icmp ne i64 %43, 0
  tail call void @llvm.assume(i1 %53)
  %54 = icmp eq i64 %38, %50
  br i1 %54, label %64, label %55

55:                                               ; preds = %49
  %56 = load ptr, ptr %41, align 8, !tbaa !140
  %57 = getelementptr inbounds nuw i64, ptr %56, i64 %50
  %58 = load i64, ptr %57, align 8, !tbaa !28
  %59 = icmp sgt i64 %38, %50
  %60 = select i1 %59, i64 %51, i64 %52
  %61 = mul nsw i64 %58, %60
  %62 = select i1 %59, i64 %52, i64 %61
  %63 = select i1 %59, i64 %61, i64 %51
  br label %64

64:                                               ; preds = %49, %55, %47
  %65 = phi i64 [ %111, %47 ], [ %62, %55 ], [ %52, %49 ]
  %66 = phi i64 [ %112, %47 ], [ %63, %55 ], [ %51, %49 ]
  %67 = mul nsw i64 %66, %65
  br label %68

68:                                               ; preds = %64, %27
  %69 = phi i64 [ 1, %27 ], [ %65, %64 ]
  %70 = phi i64 [ 1, %27 ], [ %67, %64 ]
  %71 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %72 = load ptr, ptr %71, align 8, !tbaa !140
  %73 = getelementptr inbounds i64, ptr %72, i64 %38
  %74 = load i64, ptr %73, align 8, !tbaa !28
  %75 = icmp slt i64 %30, 1
  %76 = select i1 %75, i64 %74, i64 %30
  %77 = shl i64 %74, 5
  %78 = or disjoint i64 %77, 16
  %79 = tail call noalias ptr @malloc(i64 noundef %78) #26
  %80 = icmp eq ptr %79, null
  br i1 %80, label %116, label %118

81:                                               ; preds = %110, %45
  %82 = phi i64 [ 0, %45 ], [ %113, %110 ]
  %83 = phi i64 [ 1, %45 ], [ %112, %110 ]
  %84 = phi i64 [ 1, %45 ], [ %111, %110 ]
  %85 = phi i64 [ 0, %45 ], [ %114, %110 ]
  %86 = icmp eq i64 %38, %82
  br i1 %86, label %96, label %87

87:                                               ; preds = %81
  %88 = load ptr, ptr %41, align 8, !tbaa !140
  %89 = getelementptr inbounds nuw i64, ptr %88, i64 %82
  %90 = load i64, ptr %89, align 8, !tbaa !28
  %91 = icmp sgt i64 %38, %82
  %92 = select i1 %91, i64 %83, i64 %84
  %93 = mul nsw i64 %90, %92
  %94 = select i1 %91, i64 %84, i64 %93
  %95 = select i1 %91, i64 %93, i64 %83
  br label %96

96:                                               ; preds = %81, %87
  %97 = phi i64 [ %94, %87 ], [ %84, %81 ]
  %98 = phi i64 [ %95, %87 ], [ %83, %81 ]
  %99 = or disjoint i64 %82, 1
  %100 = icmp eq i64 %38, %99
  br i1 %100, label %110, label %101

101:                                              ; preds = %96
  %102 = load ptr, ptr %41, align 8, !tbaa !140
  %103 = getelementptr inbounds nuw i64, ptr %102, i64 %99
  %104 = load i64, ptr %103, align 8, !tbaa !28
  %105 = icmp sgt i64 %38, %99
  %106 = select i1 %105, i64 %98, i64 %97
  %107 = mul nsw i64 %104, %106
  %108 = select i1 %105, i64 %97, i64 %107
  %109 = select i1 %105, i64 %107, i64 %98
  br label %110

110:                                              ; preds = %101, %96
  %111 = phi i64 [ %108, %101 ], [ %97, %96 ]
  %112 = phi i64 [ %109, %101 ], [ %98, %96 ]
  %113 = add nuw nsw i64 %82, 2
  %114 = add i64 %85, 2
  %115 = icmp eq i64 %114, %46
  br i1 %115, label %47, label %81, !llvm.loop !141

116:                                              ; preds = %68
  %117 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  tail call void %117(ptr noundef nonnull @.str.22, ptr noundef nonnull @.str.23) #17
  br label %284

118:                                              ; preds = %68
  %119 = getelementptr inbounds nuw i8, ptr %11, i64 21
  %120 = icmp sgt i64 %70, 0
  br i1 %120, label %121, label %136

121:                                              ; preds = %118
  %122 = load i8, ptr %119, align 1, !tbaa !142
  %123 = lshr i8 %122, 3
  %124 = mul i64 %74, %69
  %125 = icmp sgt i64 %74, 0
  %126 = zext nneg i8 %123 to i64
  %127 = getelementptr inbounds nuw i8, ptr %11, i64 20
  %128 = getelementptr inbounds i8, ptr %7, i64 -8
  %129 = getelementptr inbounds %struct.Element, ptr %79, i64 %74
  %130 = icmp sgt i64 %74, 1
  %131 = tail call i64 @llvm.smin.i64(i64 %76, i64 %74)
  %132 = icmp sgt i64 %131, 0
  %133 = icmp eq ptr %28, null
  %134 = getelementptr inbounds nuw i8, ptr %28, i64 21
  %135 = icmp eq ptr %18, null
  br label %137

136:                                              ; preds = %250, %118
  tail call void @free(ptr noundef %79) #17
  br label %284

137:                                              ; preds = %121, %250
  %138 = phi i64 [ 0, %121 ], [ %251, %250 ]
  %139 = sdiv i64 %138, %69
  %140 = mul i64 %124, %139
  %141 = srem i64 %138, %69
  %142 = add nsw i64 %140, %141
  %143 = mul i64 %139, %76
  br i1 %125, label %144, label %216

144:                                              ; preds = %137
  %145 = load ptr, ptr %11, align 8, !tbaa !143
  %146 = load i8, ptr %119, align 1, !tbaa !142
  %147 = zext i8 %146 to i64
  %148 = add nuw nsw i64 %147, 4294967295
  %149 = and i64 %148, 4294967295
  %150 = shl nuw i64 1, %149
  %151 = add i64 %150, -1
  %152 = or i64 %151, %150
  %153 = load i8, ptr %127, align 4, !tbaa !144
  %154 = icmp eq i8 %146, 16
  %155 = icmp eq i8 %146, 32
  %156 = select i1 %155, i64 23, i64 52
  %157 = xor i64 %150, -1
  %158 = icmp eq i8 %153, 0
  %159 = select i1 %158, i64 %150, i64 0
  %160 = load i64, ptr %128, align 8, !tbaa !10
  %161 = icmp eq i64 %160, 0
  %162 = sext i1 %161 to i64
  %163 = select i1 %154, i64 10, i64 %156
  br label %218

164:                                              ; preds = %243
  br i1 %130, label %165, label %216

165:                                              ; preds = %164, %170
  %166 = phi ptr [ %167, %170 ], [ %79, %164 ]
  %167 = phi ptr [ %166, %170 ], [ %129, %164 ]
  %168 = phi i64 [ %169, %170 ], [ 1, %164 ]
  %169 = shl i64 %168, 1
  br label %172

170:                                              ; preds = %183
  %171 = icmp slt i64 %169, %74
  br i1 %171, label %165, label %216, !llvm.loop !145

172:                                              ; preds = %183, %165
  %173 = phi i64 [ %168, %165 ], [ %186, %183 ]
  %174 = phi i64 [ 0, %165 ], [ %184, %183 ]
  %175 = tail call i64 @llvm.smin.i64(i64 %74, i64 %173)
  %176 = add nsw i64 %175, %168
  %177 = tail call i64 @llvm.smin.i64(i64 %74, i64 %176)
  %178 = add nsw i64 %174, %168
  %179 = tail call i64 @llvm.smin.i64(i64 %178, i64 %74)
  %180 = add nsw i64 %179, %168
  %181 = tail call i64 @llvm.smin.i64(i64 %180, i64 %74)
  %182 = icmp slt i64 %174, %181
  br i1 %182, label %187, label %183

183:                                              ; preds = %208, %172
  %184 = add nsw i64 %174, %169
  %185 = icmp slt i64 %184, %74
  %186 = add i64 %173, %169
  br i1 %185, label %172, label %170, !llvm.loop !146

187:                                              ; preds = %172, %208
  %188 = phi i64 [ %214, %208 ], [ %174, %172 ]
  %189 = phi i64 [ %209, %208 ], [ %179, %172 ]
  %190 = phi i64 [ %210, %208 ], [ %174, %172 ]
  %191 = icmp slt i64 %190, %179
  br i1 %191, label %194, label %192

192:                                              ; preds = %187
  %193 = add nsw i64 %189, 1
  br label %208

194:                                              ; preds = %187
  %195 = icmp eq i64 %189, %181
  br i1 %195, label %196, label %198

196:                                              ; preds = %194
  %197 = add nsw i64 %190, 1
  br label %208

198:                                              ; preds = %194
  %199 = getelementptr inbounds %struct.Element, ptr %166, i64 %190
  %200 = load i64, ptr %199, align 8, !tbaa !147
  %201 = getelementptr inbounds %struct.Element, ptr %166, i64 %189
  %202 = load i64, ptr %201, align 8, !tbaa !147
  %203 = icmp ule i64 %200, %202
  %204 = freeze i1 %203
  %205 = add nsw i64 %190, 1
  br i1 %204, label %208, label %206

206:                                              ; preds = %198
  %207 = add nsw i64 %189, 1
  br label %208

208:                                              ; preds = %206, %198, %196, %192
  %209 = phi i64 [ %207, %206 ], [ %181, %196 ], [ %193, %192 ], [ %189, %198 ]
  %210 = phi i64 [ %190, %206 ], [ %197, %196 ], [ %190, %192 ], [ %205, %198 ]
  %211 = phi i64 [ %189, %206 ], [ %190, %196 ], [ %189, %192 ], [ %190, %198 ]
  %212 = getelementptr inbounds %struct.Element, ptr %167, i64 %188
  %213 = getelementptr inbounds %struct.Element, ptr %166, i64 %211
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %212, ptr noundef nonnull align 8 dereferenceable(16) %213, i64 16, i1 false), !tbaa.struct !149
  %214 = add nsw i64 %188, 1
  %215 = icmp eq i64 %214, %177
  br i1 %215, label %183, label %187, !llvm.loop !150

216:                                              ; preds = %170, %137, %164
  %217 = phi ptr [ %79, %164 ], [ %79, %137 ], [ %167, %170 ]
  br i1 %132, label %253, label %250

218:                                              ; preds = %144, %243
  %219 = phi i64 [ 0, %144 ], [ %248, %243 ]
  %220 = mul nsw i64 %219, %69
  %221 = add nsw i64 %220, %142
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  store i64 0, ptr %5, align 8, !tbaa !28
  %222 = mul nsw i64 %221, %126
  %223 = getelementptr inbounds i8, ptr %145, i64 %222
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 8 %5, ptr readonly align 1 %223, i64 %126, i1 false)
  %224 = load i64, ptr %5, align 8, !tbaa !28
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  switch i8 %153, label %225 [
    i8 4, label %228
    i8 2, label %227
  ]

225:                                              ; preds = %218
  %226 = xor i64 %159, %224
  br label %243

227:                                              ; preds = %218
  br label %228

228:                                              ; preds = %227, %218
  %229 = phi i64 [ 7, %218 ], [ %163, %227 ]
  %230 = shl nsw i64 -1, %229
  %231 = and i64 %230, %151
  %232 = and i64 %224, %157
  %233 = icmp ugt i64 %232, %231
  br i1 %233, label %243, label %234

234:                                              ; preds = %228
  %235 = icmp eq i64 %224, %150
  %236 = select i1 %235, i64 0, i64 %224
  %237 = and i64 %236, %150
  %238 = icmp eq i64 %237, 0
  %239 = xor i64 %236, -1
  %240 = and i64 %152, %239
  %241 = or i64 %236, %150
  %242 = select i1 %238, i64 %241, i64 %240
  br label %243

243:                                              ; preds = %225, %228, %234
  %244 = phi i64 [ %226, %225 ], [ %242, %234 ], [ %152, %228 ]
  %245 = getelementptr inbounds nuw %struct.Element, ptr %79, i64 %219
  %246 = xor i64 %244, %162
  store i64 %246, ptr %245, align 8, !tbaa !28
  %247 = getelementptr inbounds nuw i8, ptr %245, i64 8
  store i64 %219, ptr %247, align 8, !tbaa !28
  %248 = add nuw nsw i64 %219, 1
  %249 = icmp eq i64 %248, %74
  br i1 %249, label %164, label %218, !llvm.loop !151

250:                                              ; preds = %281, %216
  %251 = add nuw nsw i64 %138, 1
  %252 = icmp eq i64 %251, %70
  br i1 %252, label %136, label %137, !llvm.loop !152

253:                                              ; preds = %216, %281
  %254 = phi i64 [ %282, %281 ], [ 0, %216 ]
  %255 = getelementptr inbounds nuw %struct.Element, ptr %217, i64 %254
  %256 = getelementptr inbounds nuw i8, ptr %255, i64 8
  %257 = load i64, ptr %256, align 8, !tbaa !153
  %258 = mul nsw i64 %257, %69
  %259 = add nsw i64 %258, %142
  %260 = add i64 %254, %143
  %261 = mul i64 %260, %69
  %262 = add i64 %261, %141
  br i1 %133, label %273, label %263

263:                                              ; preds = %253
  %264 = load i8, ptr %134, align 1, !tbaa !142
  %265 = icmp eq i8 %264, 64
  br i1 %265, label %266, label %269

266:                                              ; preds = %263
  %267 = load ptr, ptr %28, align 8, !tbaa !143
  %268 = getelementptr inbounds i64, ptr %267, i64 %262
  store i64 %257, ptr %268, align 8, !tbaa !28
  br label %273

269:                                              ; preds = %263
  %270 = trunc i64 %257 to i32
  %271 = load ptr, ptr %28, align 8, !tbaa !143
  %272 = getelementptr inbounds i32, ptr %271, i64 %262
  store i32 %270, ptr %272, align 4, !tbaa !6
  br label %273

273:                                              ; preds = %269, %266, %253
  br i1 %135, label %281, label %274

274:                                              ; preds = %273
  %275 = load ptr, ptr %18, align 8, !tbaa !143
  %276 = mul nsw i64 %262, %126
  %277 = getelementptr inbounds i8, ptr %275, i64 %276
  %278 = load ptr, ptr %11, align 8, !tbaa !143
  %279 = mul nsw i64 %259, %126
  %280 = getelementptr inbounds i8, ptr %278, i64 %279
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %277, ptr align 1 %280, i64 %126, i1 false)
  br label %281

281:                                              ; preds = %274, %273
  %282 = add nuw nsw i64 %254, 1
  %283 = icmp eq i64 %282, %131
  br i1 %283, label %250, label %253, !llvm.loop !154

284:                                              ; preds = %136, %116
  %285 = phi i32 [ 0, %136 ], [ -1, %116 ]
  ret i32 %285
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

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #25

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #1 = { nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #6 = { mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #7 = { nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="256" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #8 = { nofree nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #9 = { mustprogress nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #10 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #11 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #12 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #13 = { noreturn nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #14 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #15 = { nofree "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #16 = { mustprogress nocallback nofree nounwind willreturn "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #17 = { nounwind }
attributes #18 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #19 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #20 = { mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #21 = { nofree nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #22 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: read) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+64bit,+cmov,+cx8,+fxsr,+idivq-to-divl,+macrofusion,+mmx,+nopl,+slow-3ops-lea,+slow-incdec,+sse,+sse2,+vzeroupper,+x87,-16bit-mode,-32bit-mode,-adx,-aes,-allow-light-256-bit,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx,-avx10.1,-avx10.2,-avx2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-bmi,-bmi2,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-crc32,-cx16,-egpr,-enqcmd,-ermsb,-f16c,-false-deps-getmant,-false-deps-lzcnt-tzcnt,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-popcnt,-false-deps-range,-fast-11bytenop,-fast-15bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-fsqrt,-fast-scalar-shift-masks,-fast-shld-rotate,-fast-variable-crosslane-shuffle,-fast-variable-perlane-shuffle,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma,-fma4,-fsgsbase,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-invpcid,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-lzcnt,-movbe,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-no-bypass-delay-mov,-no-bypass-delay-shuffle,-pad-short-functions,-pclmul,-pconfig,-pku,-popcnt,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdrnd,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sahf,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse3,-sse4.1,-sse4.2,-sse4a,-ssse3,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsave,-xsavec,-xsaveopt,-xsaves,-zu" "tune-cpu"="generic" }
attributes #23 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #24 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #25 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
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
!4 = !{i32 7, !"frame-pointer", i32 2}
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
!18 = !{!19, !21, i64 184}
!19 = !{!"", !7, i64 0, !7, i64 4, !8, i64 8, !8, i64 48, !8, i64 96, !20, i64 144, !8, i64 152, !7, i64 156, !7, i64 160, !8, i64 164, !8, i64 168, !8, i64 176, !21, i64 184, !22, i64 192, !7, i64 200, !8, i64 208}
!20 = !{!"p1 _ZTS3Job", !12, i64 0}
!21 = !{!"p1 long", !12, i64 0}
!22 = !{!"long", !8, i64 0}
!23 = !{!24, !12, i64 0}
!24 = !{!"", !12, i64 0, !7, i64 8}
!25 = !{!19, !7, i64 200}
!26 = !{!24, !7, i64 8}
!27 = !{!19, !22, i64 192}
!28 = !{!22, !22, i64 0}
!29 = !{!30, !22, i64 0}
!30 = !{!"timespec", !22, i64 0, !22, i64 8}
!31 = !{!30, !22, i64 8}
!32 = distinct !{!32, !16}
!33 = !{!19, !7, i64 0}
!34 = distinct !{!34, !16}
!35 = !{!19, !7, i64 4}
!36 = !{!37, !12, i64 0}
!37 = !{!"Job", !12, i64 0, !12, i64 8, !24, i64 16, !20, i64 32, !8, i64 40, !8, i64 44, !8, i64 48, !7, i64 56, !8, i64 64}
!38 = !{!37, !12, i64 8}
!39 = !{!37, !7, i64 24}
!40 = distinct !{!40, !16}
!41 = !{!37, !7, i64 56}
!42 = !{!19, !7, i64 156}
!43 = distinct !{!43, !16}
!44 = !{!19, !20, i64 144}
!45 = !{!37, !20, i64 32}
!46 = !{!19, !7, i64 160}
!47 = !{!20, !20, i64 0}
!48 = distinct !{!48, !16}
!49 = distinct !{!49, !16}
!50 = distinct !{!50, !16}
!51 = !{!52, !7, i64 4}
!52 = !{!"", !8, i64 0, !7, i64 4}
!53 = distinct !{!53, !16}
!54 = !{!55, !12, i64 64}
!55 = !{!"", !12, i64 0, !12, i64 8, !12, i64 16, !12, i64 24, !12, i64 32, !12, i64 40, !12, i64 48, !12, i64 56, !12, i64 64, !12, i64 72, !12, i64 80, !12, i64 88}
!56 = !{!57, !22, i64 32}
!57 = !{!"", !12, i64 0, !12, i64 8, !22, i64 16, !12, i64 24, !22, i64 32, !22, i64 40, !22, i64 48, !22, i64 56, !12, i64 64, !12, i64 72, !12, i64 80, !21, i64 88}
!58 = !{!57, !22, i64 48}
!59 = !{!55, !12, i64 24}
!60 = !{!57, !12, i64 64}
!61 = !{!62, !22, i64 0}
!62 = !{!"", !22, i64 0, !63, i64 8, !12, i64 56}
!63 = !{!"", !14, i64 0, !7, i64 8, !7, i64 12, !7, i64 16, !7, i64 20, !21, i64 24, !21, i64 32, !22, i64 40}
!64 = !{!55, !12, i64 32}
!65 = !{!55, !12, i64 0}
!66 = !{!63, !14, i64 0}
!67 = !{!63, !22, i64 40}
!68 = !{!55, !12, i64 88}
!69 = !{!63, !7, i64 20}
!70 = !{!63, !7, i64 16}
!71 = !{!63, !21, i64 24}
!72 = !{!63, !21, i64 32}
!73 = distinct !{!73, !16}
!74 = distinct !{!74, !16}
!75 = !{!57, !22, i64 40}
!76 = !{!57, !12, i64 72}
!77 = !{!78, !22, i64 0}
!78 = !{!"", !22, i64 0, !12, i64 8, !22, i64 16, !14, i64 24}
!79 = !{!78, !12, i64 8}
!80 = !{!55, !12, i64 8}
!81 = !{!78, !14, i64 24}
!82 = !{!78, !22, i64 16}
!83 = distinct !{!83, !16}
!84 = !{!55, !12, i64 56}
!85 = !{!55, !12, i64 16}
!86 = !{!57, !12, i64 80}
!87 = !{!88, !12, i64 0}
!88 = !{!"", !12, i64 0, !12, i64 8}
!89 = distinct !{!89, !16}
!90 = !{!88, !12, i64 8}
!91 = distinct !{!91, !16}
!92 = !{!62, !12, i64 56}
!93 = distinct !{!93, !16}
!94 = distinct !{!94, !95}
!95 = !{!"llvm.loop.unroll.disable"}
!96 = !{!57, !12, i64 24}
!97 = !{!57, !12, i64 0}
!98 = !{!57, !12, i64 8}
!99 = !{!57, !22, i64 16}
!100 = !{!55, !12, i64 40}
!101 = !{!57, !22, i64 56}
!102 = !{!57, !21, i64 88}
!103 = !{!55, !12, i64 72}
!104 = !{!55, !12, i64 48}
!105 = !{!55, !12, i64 80}
!106 = distinct !{!106, !16}
!107 = !{!108, !12, i64 32}
!108 = !{!"", !22, i64 0, !22, i64 8, !22, i64 16, !12, i64 24, !12, i64 32}
!109 = !{!108, !22, i64 8}
!110 = !{!108, !22, i64 0}
!111 = !{!108, !12, i64 24}
!112 = !{!113, !22, i64 16}
!113 = !{!"", !12, i64 0, !14, i64 8, !22, i64 16}
!114 = distinct !{!114, !16}
!115 = !{!113, !14, i64 8}
!116 = distinct !{!116, !16}
!117 = distinct !{!117, !16}
!118 = !{!108, !22, i64 16}
!119 = distinct !{!119, !16}
!120 = !{!113, !12, i64 0}
!121 = distinct !{!121, !16}
!122 = distinct !{!122, !16}
!123 = distinct !{!123, !16}
!124 = distinct !{!124, !16}
!125 = distinct !{!125, !16}
!126 = distinct !{!126, !16}
!127 = distinct !{!127, !16}
!128 = distinct !{!128, !16}
!129 = distinct !{!129, !16}
!130 = distinct !{!130, !95}
!131 = distinct !{!131, !16}
!132 = distinct !{!132, !95}
!133 = distinct !{!133, !95}
!134 = distinct !{!134, !95}
!135 = distinct !{!135, !95}
!136 = distinct !{!136, !95}
!137 = !{!138, !7, i64 16}
!138 = !{!"", !12, i64 0, !7, i64 8, !7, i64 12, !7, i64 16, !8, i64 20, !8, i64 21, !139, i64 22, !21, i64 24, !21, i64 32, !22, i64 40}
!139 = !{!"short", !8, i64 0}
!140 = !{!138, !21, i64 24}
!141 = distinct !{!141, !16}
!142 = !{!138, !8, i64 21}
!143 = !{!138, !12, i64 0}
!144 = !{!138, !8, i64 20}
!145 = distinct !{!145, !16}
!146 = distinct !{!146, !16}
!147 = !{!148, !22, i64 0}
!148 = !{!"", !22, i64 0, !22, i64 8}
!149 = !{i64 0, i64 8, !28, i64 8, i64 8, !28}
!150 = distinct !{!150, !16}
!151 = distinct !{!151, !16}
!152 = distinct !{!152, !16}
!153 = !{!148, !22, i64 8}
!154 = distinct !{!154, !16}
