; Made by .ci/native from the C files whose SHA-256 is 011df35266807ae62f371c4ee8a319c3cc5408c8ad6470ec5e8146da170f14d4
; ModuleID = 'native.c'
source_filename = "native.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "aarch64-unknown-linux5.10.0-gnu2.17.0"

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
@packed = internal constant [3 x %struct.anon.3] [%struct.anon.3 { ptr @.str.7, ptr @refuse_index }, %struct.anon.3 { ptr @.str.8, ptr @refuse_size }, %struct.anon.3 { ptr @.str.9, ptr @top_k }], align 8
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
  %4 = alloca [4096 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #23
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
  call void %11(ptr noundef %0, ptr noundef nonnull %4) #23
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #23
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
  %17 = tail call ptr @pthread_getspecific(i32 noundef %16) #23
  %18 = icmp eq ptr %17, null
  br i1 %18, label %19, label %22

19:                                               ; preds = %3
  %20 = load ptr, ptr @tvm, align 8, !tbaa !11
  %21 = tail call i32 %20(ptr noundef %0, ptr noundef %1, i32 noundef %2) #23
  br label %392

22:                                               ; preds = %3
  %23 = getelementptr inbounds nuw i8, ptr %17, i64 192
  %24 = load ptr, ptr %23, align 8, !tbaa !18
  %25 = icmp eq ptr %24, null
  br i1 %25, label %79, label %26

26:                                               ; preds = %22
  call void @llvm.lifetime.start.p0(ptr nonnull %13) #23
  store ptr null, ptr %13, align 8, !tbaa !23
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %28 = icmp eq i32 %2, 0
  br i1 %28, label %29, label %32

29:                                               ; preds = %26
  %30 = getelementptr inbounds nuw i8, ptr %17, i64 208
  %31 = load i32, ptr %30, align 8, !tbaa !25
  br label %32

32:                                               ; preds = %29, %26
  %33 = phi i32 [ %31, %29 ], [ %2, %26 ]
  store i32 %33, ptr %27, align 8, !tbaa !26
  %34 = getelementptr inbounds nuw i8, ptr %13, i64 12
  store i32 0, ptr %34, align 4
  %35 = add nsw i32 %33, 2
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds nuw i8, ptr %17, i64 200
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
  call void @llvm.lifetime.start.p0(ptr nonnull %12) #23
  %47 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %12) #23
  %48 = load i64, ptr %12, align 8, !tbaa !29
  %49 = mul nsw i64 %48, 1000000000
  %50 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %51 = load i64, ptr %50, align 8, !tbaa !31
  %52 = add nsw i64 %49, %51
  call void @llvm.lifetime.end.p0(ptr nonnull %12) #23
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
  %62 = call i32 %0(i32 noundef %60, ptr noundef nonnull %13, ptr noundef %1) #23
  br i1 %39, label %70, label %63

63:                                               ; preds = %59
  call void @llvm.lifetime.start.p0(ptr nonnull %11) #23
  %64 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %11) #23
  %65 = load i64, ptr %11, align 8, !tbaa !29
  %66 = mul nsw i64 %65, 1000000000
  %67 = load i64, ptr %58, align 8, !tbaa !31
  %68 = add nsw i64 %66, %67
  call void @llvm.lifetime.end.p0(ptr nonnull %11) #23
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
  call void @llvm.lifetime.end.p0(ptr nonnull %13) #23
  br label %392

79:                                               ; preds = %22
  %80 = load i32, ptr %17, align 8, !tbaa !33
  %81 = icmp eq i32 %80, 1
  %82 = icmp eq i32 %2, 1
  %83 = or i1 %82, %81
  br i1 %83, label %84, label %99

84:                                               ; preds = %79
  call void @llvm.lifetime.start.p0(ptr nonnull %14) #23
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
  %95 = call i32 %0(i32 noundef %94, ptr noundef nonnull %14, ptr noundef %1) #23
  %96 = icmp eq i32 %95, 0
  br i1 %96, label %89, label %97

97:                                               ; preds = %93, %89, %84
  %98 = phi i32 [ 0, %84 ], [ 0, %89 ], [ %95, %93 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %14) #23
  br label %392

99:                                               ; preds = %79
  call void @llvm.lifetime.start.p0(ptr nonnull %10) #23
  %100 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %10) #23
  %101 = load i64, ptr %10, align 8, !tbaa !29
  %102 = mul nsw i64 %101, 1000000000
  %103 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %104 = load i64, ptr %103, align 8, !tbaa !31
  %105 = add nsw i64 %102, %104
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #23
  %106 = getelementptr inbounds nuw i8, ptr %17, i64 4
  %107 = load i32, ptr %106, align 4, !tbaa !35
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
  call void @llvm.lifetime.start.p0(ptr nonnull %15) #23
  store ptr %0, ptr %15, align 64, !tbaa !36
  %130 = getelementptr inbounds nuw i8, ptr %15, i64 8
  store ptr %1, ptr %130, align 8, !tbaa !38
  %131 = getelementptr inbounds nuw i8, ptr %15, i64 16
  %132 = icmp eq i32 %2, 0
  br i1 %132, label %137, label %145

133:                                              ; preds = %115
  call void @llvm.lifetime.start.p0(ptr nonnull %15) #23
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
  %164 = call i32 %162(i32 noundef %160, ptr noundef nonnull %146, ptr noundef %163) #23
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
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #23
  %172 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %9) #23
  %173 = load i64, ptr %9, align 8, !tbaa !29
  %174 = mul nsw i64 %173, 1000000000
  %175 = load i64, ptr %158, align 8, !tbaa !31
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #23
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
  %200 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #23
  %201 = getelementptr inbounds nuw i8, ptr %17, i64 164
  %202 = load i32, ptr %201, align 4, !tbaa !42
  %203 = load i32, ptr %17, align 8, !tbaa !33
  %204 = add nsw i32 %203, -1
  %205 = icmp slt i32 %202, %204
  br i1 %205, label %206, label %239

206:                                              ; preds = %198
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #23
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #23
  %207 = call i32 @sigfillset(ptr noundef nonnull %6) #23
  %208 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %6, ptr noundef nonnull %7) #23
  %209 = load i32, ptr %201, align 4, !tbaa !42
  %210 = load i32, ptr %17, align 8, !tbaa !33
  %211 = add nsw i32 %210, -1
  %212 = icmp slt i32 %209, %211
  br i1 %212, label %213, label %235

213:                                              ; preds = %206, %225
  %214 = phi i32 [ %231, %225 ], [ %209, %206 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #23
  %215 = call noalias dereferenceable_or_null(16) ptr @malloc(i64 noundef 16) #24
  %216 = icmp eq ptr %215, null
  br i1 %216, label %224, label %217

217:                                              ; preds = %213
  %218 = add nsw i32 %214, 1
  store ptr %17, ptr %215, align 8, !tbaa !11
  %219 = getelementptr inbounds nuw i8, ptr %215, i64 8
  store i32 %218, ptr %219, align 8, !tbaa !6
  %220 = getelementptr inbounds nuw i8, ptr %215, i64 12
  store i32 0, ptr %220, align 4
  %221 = call i32 @pthread_create(ptr noundef nonnull %8, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull %215) #23
  %222 = icmp eq i32 %221, 0
  br i1 %222, label %225, label %223

223:                                              ; preds = %217
  call void @free(ptr noundef nonnull %215) #23
  br label %224

224:                                              ; preds = %213, %223
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #23
  br label %235

225:                                              ; preds = %217
  %226 = load i64, ptr %8, align 8, !tbaa !28
  %227 = call i32 @pthread_setname_np(i64 noundef %226, ptr noundef nonnull @.str.4) #23
  %228 = load i64, ptr %8, align 8, !tbaa !28
  %229 = call i32 @pthread_detach(i64 noundef %228) #23
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #23
  %230 = load i32, ptr %201, align 4, !tbaa !42
  %231 = add nsw i32 %230, 1
  store i32 %231, ptr %201, align 4, !tbaa !42
  %232 = load i32, ptr %17, align 8, !tbaa !33
  %233 = add nsw i32 %232, -1
  %234 = icmp slt i32 %231, %233
  br i1 %234, label %213, label %235, !llvm.loop !43

235:                                              ; preds = %225, %224, %206
  %236 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %7, ptr noundef null) #23
  %237 = load i32, ptr %201, align 4, !tbaa !42
  %238 = add nsw i32 %237, 1
  store i32 %238, ptr %17, align 8, !tbaa !33
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #23
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #23
  br label %239

239:                                              ; preds = %235, %198
  %240 = getelementptr inbounds nuw i8, ptr %17, i64 152
  %241 = load ptr, ptr %240, align 8, !tbaa !44
  %242 = getelementptr inbounds nuw i8, ptr %15, i64 32
  store ptr %241, ptr %242, align 32, !tbaa !45
  store ptr %15, ptr %240, align 8, !tbaa !44
  %243 = getelementptr inbounds nuw i8, ptr %17, i64 160
  %244 = atomicrmw add ptr %243, i32 1 seq_cst, align 8
  %245 = getelementptr inbounds nuw i8, ptr %17, i64 168
  %246 = load i32, ptr %245, align 8, !tbaa !46
  %247 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #23
  %248 = icmp eq i32 %246, 0
  br i1 %248, label %252, label %249

249:                                              ; preds = %239
  %250 = getelementptr inbounds nuw i8, ptr %17, i64 56
  %251 = call i32 @pthread_cond_broadcast(ptr noundef nonnull %250) #23
  br label %252

252:                                              ; preds = %239, %249
  call fastcc void @compute(ptr noundef %15, i32 noundef 0)
  %253 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #23
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
  %261 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #23
  %262 = load atomic i32, ptr %152 seq_cst, align 8
  %263 = icmp eq i32 %262, 0
  br i1 %263, label %368, label %264

264:                                              ; preds = %259
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #23
  %265 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #23
  %266 = load i64, ptr %5, align 8, !tbaa !29
  %267 = mul nsw i64 %266, 1000000000
  %268 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %269 = load i64, ptr %268, align 8, !tbaa !31
  %270 = add nsw i64 %267, %269
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #23
  %271 = load i32, ptr %106, align 4, !tbaa !35
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
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %287 = load atomic i32, ptr %152 seq_cst, align 8
  %288 = icmp eq i32 %287, 0
  br i1 %288, label %368, label %289

289:                                              ; preds = %286
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %290 = load atomic i32, ptr %152 seq_cst, align 8
  %291 = icmp eq i32 %290, 0
  br i1 %291, label %368, label %292

292:                                              ; preds = %289
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %293 = load atomic i32, ptr %152 seq_cst, align 8
  %294 = icmp eq i32 %293, 0
  br i1 %294, label %368, label %295

295:                                              ; preds = %292
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %296 = load atomic i32, ptr %152 seq_cst, align 8
  %297 = icmp eq i32 %296, 0
  br i1 %297, label %368, label %298

298:                                              ; preds = %295
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %299 = load atomic i32, ptr %152 seq_cst, align 8
  %300 = icmp eq i32 %299, 0
  br i1 %300, label %368, label %301

301:                                              ; preds = %298
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %302 = load atomic i32, ptr %152 seq_cst, align 8
  %303 = icmp eq i32 %302, 0
  br i1 %303, label %368, label %304

304:                                              ; preds = %301
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %305 = load atomic i32, ptr %152 seq_cst, align 8
  %306 = icmp eq i32 %305, 0
  br i1 %306, label %368, label %307

307:                                              ; preds = %304
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %308 = load atomic i32, ptr %152 seq_cst, align 8
  %309 = icmp eq i32 %308, 0
  br i1 %309, label %368, label %310

310:                                              ; preds = %307
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %311 = load atomic i32, ptr %152 seq_cst, align 8
  %312 = icmp eq i32 %311, 0
  br i1 %312, label %368, label %313

313:                                              ; preds = %310
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %314 = load atomic i32, ptr %152 seq_cst, align 8
  %315 = icmp eq i32 %314, 0
  br i1 %315, label %368, label %316

316:                                              ; preds = %313
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %317 = load atomic i32, ptr %152 seq_cst, align 8
  %318 = icmp eq i32 %317, 0
  br i1 %318, label %368, label %319

319:                                              ; preds = %316
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %320 = load atomic i32, ptr %152 seq_cst, align 8
  %321 = icmp eq i32 %320, 0
  br i1 %321, label %368, label %322

322:                                              ; preds = %319
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %323 = load atomic i32, ptr %152 seq_cst, align 8
  %324 = icmp eq i32 %323, 0
  br i1 %324, label %368, label %325

325:                                              ; preds = %322
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %326 = load atomic i32, ptr %152 seq_cst, align 8
  %327 = icmp eq i32 %326, 0
  br i1 %327, label %368, label %328

328:                                              ; preds = %325
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %329 = load atomic i32, ptr %152 seq_cst, align 8
  %330 = icmp eq i32 %329, 0
  br i1 %330, label %368, label %331

331:                                              ; preds = %328
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #23
  %332 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #23
  %333 = load i64, ptr %4, align 8, !tbaa !29
  %334 = mul nsw i64 %333, 1000000000
  %335 = load i64, ptr %275, align 8, !tbaa !31
  %336 = add nsw i64 %334, %335
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #23
  %337 = load i32, ptr %106, align 4, !tbaa !35
  %338 = icmp eq i32 %337, 0
  br i1 %338, label %339, label %276, !llvm.loop !50

339:                                              ; preds = %331, %276, %264
  %340 = call i32 @pthread_mutex_lock(ptr noundef nonnull %199) #23
  %341 = getelementptr inbounds nuw i8, ptr %17, i64 172
  %342 = atomicrmw add ptr %341, i32 1 seq_cst, align 4
  %343 = load atomic i32, ptr %152 seq_cst, align 8
  %344 = icmp eq i32 %343, 0
  br i1 %344, label %351, label %345

345:                                              ; preds = %339
  %346 = getelementptr inbounds nuw i8, ptr %17, i64 104
  br label %347

347:                                              ; preds = %347, %345
  %348 = call i32 @pthread_cond_wait(ptr noundef nonnull %346, ptr noundef nonnull %199) #23
  %349 = load atomic i32, ptr %152 seq_cst, align 8
  %350 = icmp eq i32 %349, 0
  br i1 %350, label %351, label %347, !llvm.loop !51

351:                                              ; preds = %347, %339
  %352 = atomicrmw sub ptr %341, i32 1 seq_cst, align 4
  %353 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %199) #23
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
  store i32 %365, ptr %366, align 4, !tbaa !52
  %367 = icmp eq i64 %361, %193
  br i1 %367, label %198, label %354, !llvm.loop !54

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
  call void %389(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.3) #23
  br label %390

390:                                              ; preds = %383, %388
  %391 = phi i32 [ -1, %388 ], [ 0, %383 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %15) #23
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
  %5 = tail call i32 @pthread_once(ptr noundef nonnull @once, ptr noundef nonnull @make_key) #23
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
  %1 = tail call i32 @pthread_key_create(ptr noundef nonnull @chosen, ptr noundef null) #23
  ret void
}

; Function Attrs: mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_quick_call(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #6 {
  %5 = tail call noalias dereferenceable_or_null(32) ptr @malloc(i64 noundef 32) #24
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
  %6 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 64), align 8, !tbaa !55
  %7 = tail call ptr %6(ptr noundef %0) #23
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %9 = load i64, ptr %8, align 8, !tbaa !57
  %10 = add nsw i64 %9, 1
  %11 = alloca ptr, i64 %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %7, i64 48
  %13 = load i64, ptr %12, align 8, !tbaa !59
  %14 = add nsw i64 %13, 1
  %15 = alloca ptr, i64 %14, align 8
  %16 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !60
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #23
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
  %28 = load ptr, ptr %19, align 8, !tbaa !61
  %29 = getelementptr inbounds nuw %struct.Input, ptr %28, i64 %27
  %30 = load i64, ptr %29, align 8, !tbaa !62
  %31 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !65
  %32 = call ptr %31(ptr noundef %1, i64 noundef %30) #23
  %33 = icmp eq ptr %32, null
  br i1 %33, label %42, label %34

34:                                               ; preds = %26
  %35 = load ptr, ptr @python, align 8, !tbaa !66
  %36 = call i32 %35(ptr noundef nonnull %32, ptr noundef nonnull %5) #23
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %38, label %42

38:                                               ; preds = %34
  %39 = load ptr, ptr %5, align 8, !tbaa !67
  %40 = load i64, ptr %20, align 8, !tbaa !68
  %41 = getelementptr inbounds nuw i8, ptr %39, i64 %40
  br label %44

42:                                               ; preds = %34, %26
  %43 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 88), align 8, !tbaa !69
  call void %43() #23
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
  br i1 %54, label %55, label %287

55:                                               ; preds = %44
  %56 = load i32, ptr %22, align 4, !tbaa !70
  %57 = getelementptr inbounds nuw i8, ptr %29, i64 28
  %58 = load i32, ptr %57, align 4, !tbaa !70
  %59 = icmp eq i32 %56, %58
  br i1 %59, label %60, label %287

60:                                               ; preds = %55
  %61 = load i32, ptr %23, align 8, !tbaa !71
  %62 = getelementptr inbounds nuw i8, ptr %29, i64 24
  %63 = load i32, ptr %62, align 8, !tbaa !71
  %64 = icmp eq i32 %61, %63
  br i1 %64, label %65, label %287

65:                                               ; preds = %60
  %66 = icmp sgt i32 %61, 0
  br i1 %66, label %67, label %95

67:                                               ; preds = %65
  %68 = getelementptr inbounds nuw i8, ptr %29, i64 32
  %69 = load ptr, ptr %68, align 8, !tbaa !72
  %70 = load ptr, ptr %25, align 8, !tbaa !72
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
  br i1 %81, label %82, label %287

82:                                               ; preds = %75
  %83 = icmp eq i64 %78, 1
  br i1 %83, label %92, label %84

84:                                               ; preds = %82
  br i1 %74, label %287, label %85

85:                                               ; preds = %84
  %86 = getelementptr inbounds nuw i64, ptr %73, i64 %76
  %87 = load i64, ptr %86, align 8, !tbaa !28
  %88 = load ptr, ptr %71, align 8, !tbaa !73
  %89 = getelementptr inbounds nuw i64, ptr %88, i64 %76
  %90 = load i64, ptr %89, align 8, !tbaa !28
  %91 = icmp eq i64 %87, %90
  br i1 %91, label %92, label %287

92:                                               ; preds = %85, %82
  %93 = add nuw nsw i64 %76, 1
  %94 = icmp eq i64 %93, %72
  br i1 %94, label %95, label %75, !llvm.loop !74

95:                                               ; preds = %92, %65
  %96 = add nuw nsw i64 %27, 1
  %97 = load i64, ptr %8, align 8, !tbaa !57
  %98 = icmp slt i64 %96, %97
  br i1 %98, label %26, label %99, !llvm.loop !75

99:                                               ; preds = %95, %2
  %100 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %101 = load i64, ptr %100, align 8, !tbaa !76
  %102 = icmp sgt i64 %101, 0
  br i1 %102, label %103, label %153

103:                                              ; preds = %99
  %104 = getelementptr inbounds nuw i8, ptr %7, i64 72
  %105 = getelementptr inbounds nuw i8, ptr %4, i64 40
  br label %106

106:                                              ; preds = %148, %103
  %107 = phi i64 [ 0, %103 ], [ %149, %148 ]
  %108 = load ptr, ptr %104, align 8, !tbaa !77
  %109 = getelementptr inbounds nuw %struct.Weight, ptr %108, i64 %107
  %110 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !65
  %111 = load i64, ptr %109, align 8, !tbaa !78
  %112 = call ptr %110(ptr noundef %1, i64 noundef %111) #23
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #23
  %113 = icmp eq ptr %112, null
  br i1 %113, label %124, label %114

114:                                              ; preds = %106
  %115 = getelementptr inbounds nuw i8, ptr %109, i64 8
  %116 = load ptr, ptr %115, align 8, !tbaa !80
  %117 = icmp eq ptr %112, %116
  br i1 %117, label %118, label %124

118:                                              ; preds = %114
  %119 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !81
  %120 = call ptr %119(ptr noundef nonnull %112) #23
  %121 = getelementptr inbounds nuw i8, ptr %109, i64 24
  %122 = load ptr, ptr %121, align 8, !tbaa !82
  %123 = icmp eq ptr %120, %122
  br i1 %123, label %148, label %152

124:                                              ; preds = %114, %106
  %125 = getelementptr inbounds nuw i8, ptr %109, i64 16
  %126 = load i64, ptr %125, align 8, !tbaa !83
  %127 = icmp eq i64 %126, 0
  br i1 %127, label %128, label %152

128:                                              ; preds = %124
  %129 = load i64, ptr %109, align 8, !tbaa !78
  %130 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !65
  %131 = call ptr %130(ptr noundef %1, i64 noundef %129) #23
  %132 = icmp eq ptr %131, null
  br i1 %132, label %141, label %133

133:                                              ; preds = %128
  %134 = load ptr, ptr @python, align 8, !tbaa !66
  %135 = call i32 %134(ptr noundef nonnull %131, ptr noundef nonnull %4) #23
  %136 = icmp eq i32 %135, 0
  br i1 %136, label %137, label %141

137:                                              ; preds = %133
  %138 = load ptr, ptr %4, align 8, !tbaa !67
  %139 = load i64, ptr %105, align 8, !tbaa !68
  %140 = getelementptr inbounds nuw i8, ptr %138, i64 %139
  br label %143

141:                                              ; preds = %133, %128
  %142 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 88), align 8, !tbaa !69
  call void %142() #23
  br label %143

143:                                              ; preds = %141, %137
  %144 = phi ptr [ null, %141 ], [ %140, %137 ]
  %145 = getelementptr inbounds nuw i8, ptr %109, i64 24
  %146 = load ptr, ptr %145, align 8, !tbaa !82
  %147 = icmp eq ptr %144, %146
  br i1 %147, label %148, label %152

148:                                              ; preds = %143, %118
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #23
  %149 = add nuw nsw i64 %107, 1
  %150 = load i64, ptr %100, align 8, !tbaa !76
  %151 = icmp slt i64 %149, %150
  br i1 %151, label %106, label %153, !llvm.loop !84

152:                                              ; preds = %118, %124, %143
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #23
  br label %287

153:                                              ; preds = %148, %99
  %154 = load i64, ptr %12, align 8, !tbaa !59
  %155 = icmp sgt i64 %154, 0
  br i1 %155, label %156, label %179

156:                                              ; preds = %153
  %157 = getelementptr inbounds nuw i8, ptr %7, i64 80
  br label %158

158:                                              ; preds = %168, %156
  %159 = phi i64 [ 0, %156 ], [ %169, %168 ]
  %160 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 56), align 8, !tbaa !85
  %161 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 16), align 8, !tbaa !86
  %162 = load ptr, ptr %157, align 8, !tbaa !87
  %163 = getelementptr inbounds nuw %struct.Result, ptr %162, i64 %159
  %164 = load ptr, ptr %163, align 8, !tbaa !88
  %165 = call ptr %160(ptr noundef %161, ptr noundef %164) #23
  %166 = getelementptr inbounds nuw ptr, ptr %15, i64 %159
  store ptr %165, ptr %166, align 8, !tbaa !11
  %167 = icmp eq ptr %165, null
  br i1 %167, label %172, label %168

168:                                              ; preds = %158
  %169 = add nuw nsw i64 %159, 1
  %170 = load i64, ptr %12, align 8, !tbaa !59
  %171 = icmp slt i64 %169, %170
  br i1 %171, label %158, label %175, !llvm.loop !90

172:                                              ; preds = %158
  %173 = load i64, ptr %12, align 8, !tbaa !59
  %174 = icmp slt i64 %159, %173
  br i1 %174, label %276, label %175

175:                                              ; preds = %168, %172
  %176 = phi i64 [ %159, %172 ], [ %170, %168 ]
  %177 = phi i64 [ %173, %172 ], [ %170, %168 ]
  %178 = icmp sgt i64 %177, 0
  br i1 %178, label %186, label %179

179:                                              ; preds = %197, %153, %175
  %180 = phi i64 [ %176, %175 ], [ %154, %153 ], [ %176, %197 ]
  %181 = load i64, ptr %8, align 8, !tbaa !57
  %182 = icmp sgt i64 %181, 0
  br i1 %182, label %183, label %214

183:                                              ; preds = %179
  %184 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %185 = load ptr, ptr %184, align 8, !tbaa !61
  br label %205

186:                                              ; preds = %175, %197
  %187 = phi i64 [ %202, %197 ], [ 0, %175 ]
  %188 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !81
  %189 = getelementptr inbounds nuw ptr, ptr %15, i64 %187
  %190 = load ptr, ptr %189, align 8, !tbaa !11
  %191 = call ptr %188(ptr noundef %190) #23
  %192 = icmp eq ptr %191, null
  %193 = ptrtoint ptr %191 to i64
  %194 = and i64 %193, 63
  %195 = icmp ne i64 %194, 0
  %196 = or i1 %192, %195
  br i1 %196, label %273, label %197

197:                                              ; preds = %186
  %198 = load ptr, ptr %157, align 8, !tbaa !87
  %199 = getelementptr inbounds nuw %struct.Result, ptr %198, i64 %187
  %200 = getelementptr inbounds nuw i8, ptr %199, i64 8
  %201 = load ptr, ptr %200, align 8, !tbaa !91
  store ptr %191, ptr %201, align 8, !tbaa !67
  %202 = add nuw nsw i64 %187, 1
  %203 = load i64, ptr %12, align 8, !tbaa !59
  %204 = icmp slt i64 %202, %203
  br i1 %204, label %186, label %179, !llvm.loop !92

205:                                              ; preds = %205, %183
  %206 = phi i64 [ 0, %183 ], [ %212, %205 ]
  %207 = getelementptr inbounds nuw ptr, ptr %11, i64 %206
  %208 = load ptr, ptr %207, align 8, !tbaa !13
  %209 = getelementptr inbounds nuw %struct.Input, ptr %185, i64 %206
  %210 = getelementptr inbounds nuw i8, ptr %209, i64 56
  %211 = load ptr, ptr %210, align 8, !tbaa !93
  store ptr %208, ptr %211, align 8, !tbaa !67
  %212 = add nuw nsw i64 %206, 1
  %213 = icmp eq i64 %212, %181
  br i1 %213, label %214, label %205, !llvm.loop !94

214:                                              ; preds = %205, %179
  %215 = load i32, ptr @chosen, align 4, !tbaa !6
  %216 = call ptr @pthread_getspecific(i32 noundef %215) #23
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #23
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, i8 0, i64 16, i1 false)
  %217 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %218 = load ptr, ptr %217, align 8, !tbaa !95
  %219 = load i32, ptr @chosen, align 4, !tbaa !6
  %220 = call i32 @pthread_setspecific(i32 noundef %219, ptr noundef %218) #23
  %221 = load ptr, ptr %7, align 8, !tbaa !96
  %222 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %223 = load ptr, ptr %222, align 8, !tbaa !97
  %224 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %225 = load i64, ptr %224, align 8, !tbaa !98
  %226 = trunc i64 %225 to i32
  %227 = call i32 %221(ptr noundef null, ptr noundef %223, i32 noundef %226, ptr noundef nonnull %3) #23
  %228 = load i32, ptr @chosen, align 4, !tbaa !6
  %229 = call i32 @pthread_setspecific(i32 noundef %228, ptr noundef %216) #23
  %230 = icmp eq i32 %227, 0
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #23
  br i1 %230, label %231, label %273

231:                                              ; preds = %214
  %232 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 40), align 8, !tbaa !99
  %233 = getelementptr inbounds nuw i8, ptr %7, i64 56
  %234 = load i64, ptr %233, align 8, !tbaa !100
  %235 = call ptr %232(i64 noundef %234) #23
  %236 = icmp eq ptr %235, null
  br i1 %236, label %276, label %237

237:                                              ; preds = %231
  %238 = getelementptr inbounds nuw i8, ptr %7, i64 88
  %239 = load i64, ptr %233, align 8, !tbaa !100
  %240 = icmp sgt i64 %239, 0
  br i1 %240, label %245, label %276

241:                                              ; preds = %267
  %242 = add nuw nsw i64 %246, 1
  %243 = load i64, ptr %233, align 8, !tbaa !100
  %244 = icmp slt i64 %242, %243
  br i1 %244, label %245, label %276

245:                                              ; preds = %237, %241
  %246 = phi i64 [ %242, %241 ], [ 0, %237 ]
  %247 = load ptr, ptr %238, align 8, !tbaa !101
  %248 = getelementptr inbounds nuw i64, ptr %247, i64 %246
  %249 = load i64, ptr %248, align 8, !tbaa !28
  %250 = load i64, ptr %12, align 8, !tbaa !59
  %251 = sub nsw i64 %249, %250
  %252 = icmp slt i64 %249, 0
  br i1 %252, label %253, label %255

253:                                              ; preds = %245
  %254 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !60
  br label %263

255:                                              ; preds = %245
  %256 = icmp slt i64 %251, 0
  br i1 %256, label %257, label %260

257:                                              ; preds = %255
  %258 = getelementptr inbounds nuw ptr, ptr %15, i64 %249
  %259 = load ptr, ptr %258, align 8, !tbaa !11
  br label %263

260:                                              ; preds = %255
  %261 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 32), align 8, !tbaa !65
  %262 = call ptr %261(ptr noundef %1, i64 noundef %251) #23
  br label %263

263:                                              ; preds = %260, %257, %253
  %264 = phi ptr [ %254, %253 ], [ %259, %257 ], [ %262, %260 ]
  %265 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !102
  call void %265(ptr noundef %264) #23
  %266 = icmp eq ptr %264, null
  br i1 %266, label %271, label %267

267:                                              ; preds = %263
  %268 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 48), align 8, !tbaa !103
  %269 = call i32 %268(ptr noundef nonnull %235, i64 noundef %246, ptr noundef nonnull %264) #23
  %270 = icmp eq i32 %269, 0
  br i1 %270, label %241, label %271

271:                                              ; preds = %267, %263
  %272 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 80), align 8, !tbaa !104
  call void %272(ptr noundef nonnull %235) #23
  br label %276

273:                                              ; preds = %186, %214
  %274 = phi i64 [ %180, %214 ], [ %176, %186 ]
  %275 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !102
  call void %275(ptr noundef %16) #23
  br label %276

276:                                              ; preds = %241, %237, %271, %231, %172, %273
  %277 = phi i64 [ %274, %273 ], [ %159, %172 ], [ %180, %271 ], [ %180, %231 ], [ %180, %237 ], [ %180, %241 ]
  %278 = phi ptr [ %16, %273 ], [ null, %172 ], [ null, %271 ], [ null, %231 ], [ %235, %237 ], [ %235, %241 ]
  %279 = icmp eq i64 %277, 0
  br i1 %279, label %289, label %280

280:                                              ; preds = %276, %280
  %281 = phi i64 [ %283, %280 ], [ %277, %276 ]
  %282 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 80), align 8, !tbaa !104
  %283 = add nsw i64 %281, -1
  %284 = getelementptr inbounds ptr, ptr %15, i64 %283
  %285 = load ptr, ptr %284, align 8, !tbaa !11
  call void %282(ptr noundef %285) #23
  %286 = icmp eq i64 %283, 0
  br i1 %286, label %289, label %280, !llvm.loop !105

287:                                              ; preds = %60, %55, %44, %75, %84, %85, %152
  %288 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !102
  call void %288(ptr noundef %16) #23
  br label %289

289:                                              ; preds = %280, %276, %287
  %290 = phi ptr [ %16, %287 ], [ %278, %276 ], [ %278, %280 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #23
  ret ptr %290
}

; Function Attrs: mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable
define noundef i32 @__tvm_ffi_tvmfuse_watched_memory(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef writeonly captures(none) initializes((0, 16)) %3) local_unnamed_addr #6 {
  %5 = tail call noalias dereferenceable_or_null(32) ptr @malloc(i64 noundef 32) #24
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
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 64), align 8, !tbaa !55
  %8 = tail call ptr %7(ptr noundef %0) #23
  %9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !60
  %10 = icmp eq ptr %1, %9
  br i1 %10, label %11, label %95

11:                                               ; preds = %2
  %12 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %13 = load ptr, ptr %12, align 8, !tbaa !106
  %14 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %15 = load i64, ptr %14, align 8, !tbaa !108
  %16 = shl i64 %15, 5
  tail call void @llvm.memset.p0.i64(ptr align 16 %13, i8 0, i64 %16, i1 false)
  %17 = load i64, ptr %8, align 8, !tbaa !109
  %18 = icmp sgt i64 %17, 0
  br i1 %18, label %19, label %220

19:                                               ; preds = %11
  %20 = getelementptr inbounds nuw i8, ptr %8, i64 24
  br label %21

21:                                               ; preds = %34, %19
  %22 = phi i64 [ %17, %19 ], [ %35, %34 ]
  %23 = phi i64 [ 0, %19 ], [ %36, %34 ]
  %24 = phi i64 [ 0, %19 ], [ %37, %34 ]
  %25 = load ptr, ptr %20, align 8, !tbaa !110
  %26 = getelementptr inbounds nuw %struct.Region, ptr %25, i64 %24
  %27 = getelementptr inbounds nuw i8, ptr %26, i64 16
  %28 = load i64, ptr %27, align 8, !tbaa !111
  %29 = icmp sgt i64 %28, 0
  br i1 %29, label %30, label %34

30:                                               ; preds = %21
  %31 = getelementptr inbounds nuw i8, ptr %26, i64 8
  br label %39

32:                                               ; preds = %86
  %33 = load i64, ptr %8, align 8, !tbaa !109
  br label %34

34:                                               ; preds = %32, %21
  %35 = phi i64 [ %22, %21 ], [ %33, %32 ]
  %36 = phi i64 [ %23, %21 ], [ %91, %32 ]
  %37 = add nuw nsw i64 %24, 1
  %38 = icmp slt i64 %37, %35
  br i1 %38, label %21, label %220, !llvm.loop !113

39:                                               ; preds = %86, %30
  %40 = phi i64 [ %28, %30 ], [ %93, %86 ]
  %41 = phi i64 [ %23, %30 ], [ %91, %86 ]
  %42 = phi i64 [ 0, %30 ], [ %92, %86 ]
  %43 = load ptr, ptr %12, align 8, !tbaa !106
  %44 = getelementptr inbounds <4 x i64>, ptr %43, i64 %41
  %45 = load <4 x i64>, ptr %44, align 16
  %46 = sub nsw i64 %40, %42
  %47 = icmp sgt i64 %46, 1023
  %48 = load ptr, ptr %31, align 8, !tbaa !114, !noalias !115
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 %42
  br i1 %47, label %50, label %68

50:                                               ; preds = %39
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #23, !noalias !118
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(1024) %6, ptr noundef nonnull readonly align 1 dereferenceable(1024) %49, i64 1024, i1 false), !noalias !118
  %51 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %45, <4 x i64> %45, <4 x i64> splat (i64 27))
  br label %52

52:                                               ; preds = %52, %50
  %53 = phi i64 [ 0, %50 ], [ %65, %52 ]
  %54 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %50 ], [ %64, %52 ]
  %55 = phi <4 x i64> [ %51, %50 ], [ %63, %52 ]
  %56 = getelementptr inbounds nuw <4 x i64>, ptr %6, i64 %53
  %57 = load <4 x i64>, ptr %56, align 16, !tbaa !10, !noalias !118
  %58 = xor <4 x i64> %57, %54
  %59 = and <4 x i64> %58, splat (i64 4294967295)
  %60 = lshr <4 x i64> %58, splat (i64 32)
  %61 = mul nuw <4 x i64> %59, %60
  %62 = add <4 x i64> %58, %55
  %63 = add <4 x i64> %62, %61
  %64 = add <4 x i64> %54, splat (i64 -1028001813962170200)
  %65 = add nuw nsw i64 %53, 1
  %66 = icmp eq i64 %65, 32
  br i1 %66, label %67, label %52, !llvm.loop !121

67:                                               ; preds = %52
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #23, !noalias !118
  br label %86

68:                                               ; preds = %39
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #23, !noalias !122
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(1024) %5, i8 0, i64 1024, i1 false), !noalias !122
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %5, ptr readonly align 1 %49, i64 range(i64 -9223372036854775808, 1025) %46, i1 false), !noalias !122
  %69 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %45, <4 x i64> %45, <4 x i64> splat (i64 27))
  br label %70

70:                                               ; preds = %70, %68
  %71 = phi i64 [ 0, %68 ], [ %83, %70 ]
  %72 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %68 ], [ %82, %70 ]
  %73 = phi <4 x i64> [ %69, %68 ], [ %81, %70 ]
  %74 = getelementptr inbounds nuw <4 x i64>, ptr %5, i64 %71
  %75 = load <4 x i64>, ptr %74, align 16, !tbaa !10, !noalias !122
  %76 = xor <4 x i64> %75, %72
  %77 = and <4 x i64> %76, splat (i64 4294967295)
  %78 = lshr <4 x i64> %76, splat (i64 32)
  %79 = mul nuw <4 x i64> %77, %78
  %80 = add <4 x i64> %76, %73
  %81 = add <4 x i64> %80, %79
  %82 = add <4 x i64> %72, splat (i64 -1028001813962170200)
  %83 = add nuw nsw i64 %71, 1
  %84 = icmp eq i64 %83, 32
  br i1 %84, label %85, label %70, !llvm.loop !121

85:                                               ; preds = %70
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #23, !noalias !122
  br label %86

86:                                               ; preds = %85, %67
  %87 = phi <4 x i64> [ %81, %85 ], [ %63, %67 ]
  store <4 x i64> %87, ptr %44, align 16
  %88 = add nsw i64 %41, 1
  %89 = load i64, ptr %14, align 8, !tbaa !108
  %90 = icmp eq i64 %88, %89
  %91 = select i1 %90, i64 0, i64 %88
  %92 = add nuw nsw i64 %42, 1024
  %93 = load i64, ptr %27, align 8, !tbaa !111
  %94 = icmp slt i64 %92, %93
  br i1 %94, label %39, label %32, !llvm.loop !125

95:                                               ; preds = %2
  %96 = load i64, ptr %8, align 8, !tbaa !109
  %97 = icmp sgt i64 %96, 0
  br i1 %97, label %103, label %98

98:                                               ; preds = %95
  %99 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %100 = load i64, ptr %99, align 8, !tbaa !126
  %101 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %102 = load i64, ptr %101, align 8, !tbaa !108
  br label %197

103:                                              ; preds = %95
  %104 = getelementptr inbounds nuw i8, ptr %8, i64 24
  %105 = load ptr, ptr %104, align 8, !tbaa !110
  br label %110

106:                                              ; preds = %110
  %107 = add nuw nsw i64 %112, 1
  %108 = load i64, ptr %8, align 8, !tbaa !109
  %109 = icmp slt i64 %107, %108
  br i1 %109, label %110, label %122, !llvm.loop !127

110:                                              ; preds = %106, %103
  %111 = phi ptr [ %105, %103 ], [ %117, %106 ]
  %112 = phi i64 [ 0, %103 ], [ %107, %106 ]
  %113 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 8), align 8, !tbaa !81
  %114 = getelementptr inbounds nuw %struct.Region, ptr %111, i64 %112
  %115 = load ptr, ptr %114, align 8, !tbaa !128
  %116 = tail call ptr %113(ptr noundef %115) #23
  %117 = load ptr, ptr %104, align 8, !tbaa !110
  %118 = getelementptr inbounds nuw %struct.Region, ptr %117, i64 %112
  %119 = getelementptr inbounds nuw i8, ptr %118, i64 8
  %120 = load ptr, ptr %119, align 8, !tbaa !114
  %121 = icmp eq ptr %116, %120
  br i1 %121, label %106, label %218

122:                                              ; preds = %106
  %123 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %124 = load i64, ptr %123, align 8, !tbaa !126
  %125 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %126 = load i64, ptr %125, align 8, !tbaa !108
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
  %137 = load i64, ptr %136, align 8, !tbaa !111
  %138 = icmp slt i64 %132, %137
  br i1 %138, label %139, label %188

139:                                              ; preds = %131
  %140 = getelementptr inbounds nuw i8, ptr %135, i64 8
  %141 = load ptr, ptr %140, align 8, !tbaa !114, !noalias !129
  br label %142

142:                                              ; preds = %184, %139
  %143 = phi i64 [ %132, %139 ], [ %186, %184 ]
  %144 = phi <4 x i64> [ %134, %139 ], [ %185, %184 ]
  %145 = sub nsw i64 %137, %143
  %146 = icmp sgt i64 %145, 1023
  %147 = getelementptr inbounds i8, ptr %141, i64 %143
  br i1 %146, label %148, label %166

148:                                              ; preds = %142
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #23, !noalias !132
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(1024) %4, ptr noundef nonnull readonly align 1 dereferenceable(1024) %147, i64 1024, i1 false), !noalias !132
  %149 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %144, <4 x i64> %144, <4 x i64> splat (i64 27))
  br label %150

150:                                              ; preds = %150, %148
  %151 = phi i64 [ 0, %148 ], [ %163, %150 ]
  %152 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %148 ], [ %162, %150 ]
  %153 = phi <4 x i64> [ %149, %148 ], [ %161, %150 ]
  %154 = getelementptr inbounds nuw <4 x i64>, ptr %4, i64 %151
  %155 = load <4 x i64>, ptr %154, align 16, !tbaa !10, !noalias !132
  %156 = xor <4 x i64> %155, %152
  %157 = and <4 x i64> %156, splat (i64 4294967295)
  %158 = lshr <4 x i64> %156, splat (i64 32)
  %159 = mul nuw <4 x i64> %157, %158
  %160 = add <4 x i64> %156, %153
  %161 = add <4 x i64> %160, %159
  %162 = add <4 x i64> %152, splat (i64 -1028001813962170200)
  %163 = add nuw nsw i64 %151, 1
  %164 = icmp eq i64 %163, 32
  br i1 %164, label %165, label %150, !llvm.loop !121

165:                                              ; preds = %150
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #23, !noalias !132
  br label %184

166:                                              ; preds = %142
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #23, !noalias !135
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(1024) %3, i8 0, i64 1024, i1 false), !noalias !135
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %3, ptr readonly align 1 %147, i64 range(i64 -9223372036854775808, 1025) %145, i1 false), !noalias !135
  %167 = tail call <4 x i64> @llvm.fshl.v4i64(<4 x i64> %144, <4 x i64> %144, <4 x i64> splat (i64 27))
  br label %168

168:                                              ; preds = %168, %166
  %169 = phi i64 [ 0, %166 ], [ %181, %168 ]
  %170 = phi <4 x i64> [ <i64 -7046029254386353131, i64 -2691343689449507777, i64 1663341875487337577, i64 6018027440424182931>, %166 ], [ %180, %168 ]
  %171 = phi <4 x i64> [ %167, %166 ], [ %179, %168 ]
  %172 = getelementptr inbounds nuw <4 x i64>, ptr %3, i64 %169
  %173 = load <4 x i64>, ptr %172, align 16, !tbaa !10, !noalias !135
  %174 = xor <4 x i64> %173, %170
  %175 = and <4 x i64> %174, splat (i64 4294967295)
  %176 = lshr <4 x i64> %174, splat (i64 32)
  %177 = mul nuw <4 x i64> %175, %176
  %178 = add <4 x i64> %174, %171
  %179 = add <4 x i64> %178, %177
  %180 = add <4 x i64> %170, splat (i64 -1028001813962170200)
  %181 = add nuw nsw i64 %169, 1
  %182 = icmp eq i64 %181, 32
  br i1 %182, label %183, label %168, !llvm.loop !121

183:                                              ; preds = %168
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #23, !noalias !135
  br label %184

184:                                              ; preds = %183, %165
  %185 = phi <4 x i64> [ %179, %183 ], [ %161, %165 ]
  %186 = add nsw i64 %143, %127
  %187 = icmp slt i64 %186, %137
  br i1 %187, label %142, label %188, !llvm.loop !138

188:                                              ; preds = %184, %131
  %189 = phi <4 x i64> [ %134, %131 ], [ %185, %184 ]
  %190 = phi i64 [ %132, %131 ], [ %186, %184 ]
  %191 = add nsw i64 %137, 1023
  %192 = sdiv i64 %191, -1024
  %193 = shl nsw i64 %192, 10
  %194 = add i64 %190, %193
  %195 = add nuw nsw i64 %133, 1
  %196 = icmp eq i64 %195, %108
  br i1 %196, label %197, label %131, !llvm.loop !139

197:                                              ; preds = %188, %98, %122
  %198 = phi i64 [ %126, %122 ], [ %102, %98 ], [ %126, %188 ]
  %199 = phi i64 [ %124, %122 ], [ %100, %98 ], [ %124, %188 ]
  %200 = phi ptr [ %123, %122 ], [ %99, %98 ], [ %123, %188 ]
  %201 = phi <4 x i64> [ zeroinitializer, %122 ], [ zeroinitializer, %98 ], [ %189, %188 ]
  %202 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %203 = load ptr, ptr %202, align 8, !tbaa !106
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
  %219 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 24), align 8, !tbaa !60
  br label %220

220:                                              ; preds = %34, %11, %197, %218
  %221 = phi ptr [ %219, %218 ], [ %1, %197 ], [ %1, %11 ], [ %1, %34 ]
  %222 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @python, i64 72), align 8, !tbaa !102
  tail call void %222(ptr noundef %221) #23
  ret ptr %221
}

; Function Attrs: nofree nounwind uwtable
define internal ptr @allocate_workspace(i32 %0, i32 %1, i64 noundef %2, i32 %3, i32 %4) #7 {
  %6 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #23
  %7 = icmp eq i64 %2, 0
  %8 = select i1 %7, i64 64, i64 %2
  %9 = call i32 @posix_memalign(ptr noundef nonnull %6, i64 noundef 64, i64 noundef %8) #23
  %10 = icmp eq i32 %9, 0
  %11 = load ptr, ptr %6, align 8
  %12 = select i1 %10, ptr %11, ptr null
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #23
  ret ptr %12
}

; Function Attrs: mustprogress nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) uwtable
define internal noundef i32 @free_workspace(i32 %0, i32 %1, ptr noundef captures(none) %2) #8 {
  tail call void @free(ptr noundef %2) #23
  ret i32 0
}

; Function Attrs: nounwind uwtable
define internal range(i32 -1, 1) i32 @find_packed(ptr readnone captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2) #1 {
  %4 = alloca [4096 x i8], align 1
  %5 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %1, ptr noundef nonnull dereferenceable(27) @.str.7) #25
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %13, label %7

7:                                                ; preds = %3
  %8 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %1, ptr noundef nonnull dereferenceable(19) @.str.8) #25
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %13, label %10

10:                                               ; preds = %7
  %11 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %1, ptr noundef nonnull dereferenceable(22) @.str.9) #25
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %13, label %16

13:                                               ; preds = %10, %7, %3
  %14 = phi ptr [ @packed, %3 ], [ getelementptr inbounds nuw (i8, ptr @packed, i64 16), %7 ], [ getelementptr inbounds nuw (i8, ptr @packed, i64 32), %10 ]
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 8
  store ptr %15, ptr %2, align 8, !tbaa !11
  br label %48

16:                                               ; preds = %10
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #23
  br label %37

17:                                               ; preds = %37
  %18 = load i8, ptr %1, align 1, !tbaa !10
  %19 = icmp ne i8 %18, 0
  %20 = icmp samesign ult i64 %39, 4094
  %21 = select i1 %19, i1 %20, i1 false
  br i1 %21, label %22, label %33

22:                                               ; preds = %17, %22
  %23 = phi i8 [ %29, %22 ], [ %18, %17 ]
  %24 = phi i64 [ %26, %22 ], [ %41, %17 ]
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
  %34 = phi i64 [ %41, %17 ], [ %26, %22 ]
  %35 = getelementptr inbounds nuw i8, ptr %4, i64 %34
  store i8 0, ptr %35, align 1, !tbaa !10
  %36 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  call void %36(ptr noundef nonnull @.str.2, ptr noundef nonnull %4) #23
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #23
  br label %48

37:                                               ; preds = %16, %37
  %38 = phi i8 [ %44, %37 ], [ 116, %16 ]
  %39 = phi i64 [ %41, %37 ], [ 0, %16 ]
  %40 = phi ptr [ %43, %37 ], [ @.str.6, %16 ]
  %41 = add nuw nsw i64 %39, 1
  %42 = getelementptr inbounds nuw i8, ptr %4, i64 %39
  store i8 %38, ptr %42, align 1, !tbaa !10
  %43 = getelementptr inbounds nuw i8, ptr %40, i64 1
  %44 = load i8, ptr %43, align 1, !tbaa !10
  %45 = icmp ne i8 %44, 0
  %46 = icmp samesign ult i64 %39, 4094
  %47 = and i1 %45, %46
  br i1 %47, label %37, label %17, !llvm.loop !17

48:                                               ; preds = %13, %33
  %49 = phi i32 [ -1, %33 ], [ 0, %13 ]
  ret i32 %49
}

; Function Attrs: nounwind uwtable
define internal range(i32 -1, 1) i32 @find_once(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1) #1 {
  %3 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #23
  %4 = load atomic i64, ptr %0 seq_cst, align 8
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %6, label %12

6:                                                ; preds = %2
  %7 = call i32 %1(ptr noundef nonnull %3) #23
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %9, label %12

9:                                                ; preds = %6
  %10 = load ptr, ptr %3, align 8, !tbaa !11
  %11 = ptrtoint ptr %10 to i64
  store atomic i64 %11, ptr %0 seq_cst, align 8
  br label %12

12:                                               ; preds = %6, %2, %9
  %13 = phi i32 [ 0, %9 ], [ 0, %2 ], [ -1, %6 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #23
  ret i32 %13
}

; Function Attrs: nounwind uwtable
define internal i32 @call_found(ptr noundef readonly captures(none) %0, ptr noundef %1, i32 noundef %2, ptr noundef %3) #1 {
  %5 = load ptr, ptr %0, align 8, !tbaa !11
  %6 = tail call i32 %5(ptr noundef null, ptr noundef %1, i32 noundef %2, ptr noundef %3) #23
  ret i32 %6
}

; Function Attrs: nounwind
declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr #9

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #10

; Function Attrs: nounwind uwtable
define internal fastcc void @compute(ptr noundef nonnull %0, i32 noundef %1) unnamed_addr #1 {
  %3 = alloca %struct.timespec, align 8
  %4 = alloca %struct.timespec, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #23
  %5 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #23
  %6 = load i64, ptr %4, align 8, !tbaa !29
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %8 = load i64, ptr %7, align 8, !tbaa !31
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #23
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
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #23
  %19 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #23
  %20 = load i64, ptr %3, align 8, !tbaa !29
  %21 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %22 = load i64, ptr %21, align 8, !tbaa !31
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #23
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
  %37 = load i32, ptr %35, align 4, !tbaa !52
  %38 = icmp slt i32 %36, %37
  br i1 %38, label %39, label %55

39:                                               ; preds = %28, %49
  %40 = atomicrmw add ptr %34, i32 1 seq_cst, align 64
  %41 = load i32, ptr %35, align 4, !tbaa !52
  %42 = icmp slt i32 %40, %41
  br i1 %42, label %43, label %49

43:                                               ; preds = %39
  %44 = load ptr, ptr %0, align 64, !tbaa !36
  %45 = load ptr, ptr %15, align 8, !tbaa !38
  %46 = call i32 %44(i32 noundef %40, ptr noundef nonnull %14, ptr noundef %45) #23
  %47 = icmp eq i32 %46, 0
  br i1 %47, label %49, label %48

48:                                               ; preds = %43
  store atomic i32 1, ptr %16 seq_cst, align 4
  br label %49

49:                                               ; preds = %48, %43, %39
  %50 = load atomic i32, ptr %34 monotonic, align 64
  %51 = load i32, ptr %35, align 4, !tbaa !52
  %52 = icmp slt i32 %50, %51
  br i1 %52, label %39, label %53, !llvm.loop !140

53:                                               ; preds = %49
  %54 = load i32, ptr %9, align 8, !tbaa !41
  br label %55

55:                                               ; preds = %53, %28
  %56 = phi i32 [ %54, %53 ], [ %29, %28 ]
  %57 = add nuw nsw i32 %30, 1
  %58 = icmp slt i32 %57, %56
  br i1 %58, label %28, label %17, !llvm.loop !141
}

; Function Attrs: nounwind
declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #9

; Function Attrs: nounwind
declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #9

; Function Attrs: nounwind
declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #9

; Function Attrs: nounwind
declare i32 @pthread_cond_broadcast(ptr noundef) local_unnamed_addr #9

; Function Attrs: nounwind
declare i32 @sigfillset(ptr noundef) local_unnamed_addr #9

; Function Attrs: nounwind
declare i32 @pthread_sigmask(i32 noundef, ptr noundef, ptr noundef) local_unnamed_addr #9

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #11

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #9

; Function Attrs: noreturn nounwind uwtable
define internal noalias noundef nonnull ptr @work(ptr noundef captures(none) %0) #12 {
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
  tail call void @free(ptr noundef %0) #23
  %12 = tail call i32 (ptr, i32, ...) @open(ptr noundef nonnull @.str.5, i32 noundef 524288) #23
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #23
  %13 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %8) #23
  %14 = load i64, ptr %8, align 8, !tbaa !29
  %15 = mul nsw i64 %14, 1000000000
  %16 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %17 = load i64, ptr %16, align 8, !tbaa !31
  %18 = add nsw i64 %15, %17
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #23
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #23
  %19 = call i64 @pread(i32 noundef %12, ptr noundef nonnull %6, i64 noundef 63, i64 noundef 0) #23
  %20 = icmp slt i64 %19, 1
  br i1 %20, label %26, label %21

21:                                               ; preds = %1
  %22 = getelementptr inbounds nuw i8, ptr %6, i64 %19
  store i8 0, ptr %22, align 1, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #23
  %23 = call i64 @strtoll(ptr noundef nonnull %6, ptr noundef nonnull %7, i32 noundef 10) #23
  %24 = load ptr, ptr %7, align 8, !tbaa !13
  %25 = call i64 @strtoll(ptr noundef captures(none) %24, ptr noundef null, i32 noundef 10) #23
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #23
  br label %26

26:                                               ; preds = %1, %21
  %27 = phi i64 [ %25, %21 ], [ 0, %1 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #23
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
  %44 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #23
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
  br i1 %58, label %66, label %59, !llvm.loop !142

59:                                               ; preds = %56, %54
  %60 = phi i64 [ 0, %54 ], [ %57, %56 ]
  %61 = getelementptr inbounds nuw %struct.Share, ptr %50, i64 %60
  %62 = load atomic i32, ptr %61 monotonic, align 64
  %63 = getelementptr inbounds nuw i8, ptr %61, i64 4
  %64 = load i32, ptr %63, align 4, !tbaa !52
  %65 = icmp slt i32 %62, %64
  br i1 %65, label %70, label %56

66:                                               ; preds = %56, %48
  %67 = getelementptr inbounds nuw i8, ptr %49, i64 32
  %68 = load ptr, ptr %67, align 8, !tbaa !47
  %69 = icmp eq ptr %68, null
  br i1 %69, label %83, label %48, !llvm.loop !143

70:                                               ; preds = %59
  %71 = getelementptr inbounds nuw i8, ptr %49, i64 40
  %72 = atomicrmw add ptr %71, i32 1 seq_cst, align 8
  %73 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #23
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
  %81 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #23
  %82 = call i32 @pthread_cond_broadcast(ptr noundef nonnull %32) #23
  br label %206

83:                                               ; preds = %43, %66
  %84 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #23
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #23
  %85 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #23
  %86 = load i64, ptr %5, align 8, !tbaa !29
  %87 = mul nsw i64 %86, 1000000000
  %88 = load i64, ptr %33, align 8, !tbaa !31
  %89 = add nsw i64 %87, %88
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #23
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
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #23
  %111 = call i64 @pread(i32 noundef %12, ptr noundef nonnull %3, i64 noundef 63, i64 noundef 0) #23
  %112 = icmp slt i64 %111, 1
  br i1 %112, label %118, label %113

113:                                              ; preds = %110
  %114 = getelementptr inbounds nuw i8, ptr %3, i64 %111
  store i8 0, ptr %114, align 1, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #23
  %115 = call i64 @strtoll(ptr noundef nonnull %3, ptr noundef nonnull %4, i32 noundef 10) #23
  %116 = load ptr, ptr %4, align 8, !tbaa !13
  %117 = call i64 @strtoll(ptr noundef captures(none) %116, ptr noundef null, i32 noundef 10) #23
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #23
  br label %118

118:                                              ; preds = %113, %110
  %119 = phi i64 [ %117, %113 ], [ 0, %110 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #23
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
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %139 = load atomic i32, ptr %29 seq_cst, align 8
  %140 = icmp eq i32 %139, %45
  br i1 %140, label %141, label %210

141:                                              ; preds = %138
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %142 = load atomic i32, ptr %29 seq_cst, align 8
  %143 = icmp eq i32 %142, %45
  br i1 %143, label %144, label %210

144:                                              ; preds = %141
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %145 = load atomic i32, ptr %29 seq_cst, align 8
  %146 = icmp eq i32 %145, %45
  br i1 %146, label %147, label %210

147:                                              ; preds = %144
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %148 = load atomic i32, ptr %29 seq_cst, align 8
  %149 = icmp eq i32 %148, %45
  br i1 %149, label %150, label %210

150:                                              ; preds = %147
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %151 = load atomic i32, ptr %29 seq_cst, align 8
  %152 = icmp eq i32 %151, %45
  br i1 %152, label %153, label %210

153:                                              ; preds = %150
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %154 = load atomic i32, ptr %29 seq_cst, align 8
  %155 = icmp eq i32 %154, %45
  br i1 %155, label %156, label %210

156:                                              ; preds = %153
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %157 = load atomic i32, ptr %29 seq_cst, align 8
  %158 = icmp eq i32 %157, %45
  br i1 %158, label %159, label %210

159:                                              ; preds = %156
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %160 = load atomic i32, ptr %29 seq_cst, align 8
  %161 = icmp eq i32 %160, %45
  br i1 %161, label %162, label %210

162:                                              ; preds = %159
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %163 = load atomic i32, ptr %29 seq_cst, align 8
  %164 = icmp eq i32 %163, %45
  br i1 %164, label %165, label %210

165:                                              ; preds = %162
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %166 = load atomic i32, ptr %29 seq_cst, align 8
  %167 = icmp eq i32 %166, %45
  br i1 %167, label %168, label %210

168:                                              ; preds = %165
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %169 = load atomic i32, ptr %29 seq_cst, align 8
  %170 = icmp eq i32 %169, %45
  br i1 %170, label %171, label %210

171:                                              ; preds = %168
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %172 = load atomic i32, ptr %29 seq_cst, align 8
  %173 = icmp eq i32 %172, %45
  br i1 %173, label %174, label %210

174:                                              ; preds = %171
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %175 = load atomic i32, ptr %29 seq_cst, align 8
  %176 = icmp eq i32 %175, %45
  br i1 %176, label %177, label %210

177:                                              ; preds = %174
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %178 = load atomic i32, ptr %29 seq_cst, align 8
  %179 = icmp eq i32 %178, %45
  br i1 %179, label %180, label %210

180:                                              ; preds = %177
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  %181 = load atomic i32, ptr %29 seq_cst, align 8
  %182 = icmp eq i32 %181, %45
  br i1 %182, label %183, label %210

183:                                              ; preds = %180
  call void asm sideeffect "yield", ""() #23, !srcloc !49
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #23
  %184 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %2) #23
  %185 = load i64, ptr %2, align 8, !tbaa !29
  %186 = mul nsw i64 %185, 1000000000
  %187 = load i64, ptr %37, align 8, !tbaa !31
  %188 = add nsw i64 %186, %187
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #23
  %189 = load i32, ptr %34, align 4, !tbaa !35
  %190 = icmp eq i32 %189, 0
  br i1 %190, label %191, label %92, !llvm.loop !144

191:                                              ; preds = %183, %92, %83
  %192 = phi i64 [ %41, %83 ], [ %134, %183 ], [ %93, %92 ]
  %193 = phi i64 [ %42, %83 ], [ %135, %183 ], [ %94, %92 ]
  %194 = call i32 @pthread_mutex_lock(ptr noundef nonnull %28) #23
  %195 = load i32, ptr %38, align 8, !tbaa !46
  %196 = add nsw i32 %195, 1
  store i32 %196, ptr %38, align 8, !tbaa !46
  %197 = load atomic i32, ptr %29 seq_cst, align 8
  %198 = icmp eq i32 %197, %45
  br i1 %198, label %199, label %203

199:                                              ; preds = %191, %199
  %200 = call i32 @pthread_cond_wait(ptr noundef nonnull %39, ptr noundef nonnull %28) #23
  %201 = load atomic i32, ptr %29 seq_cst, align 8
  %202 = icmp eq i32 %201, %45
  br i1 %202, label %199, label %203, !llvm.loop !145

203:                                              ; preds = %199, %191
  %204 = load i32, ptr %38, align 8, !tbaa !46
  %205 = add nsw i32 %204, -1
  store i32 %205, ptr %38, align 8, !tbaa !46
  br label %206

206:                                              ; preds = %80, %203
  %207 = phi i64 [ %41, %80 ], [ %192, %203 ]
  %208 = phi i64 [ %42, %80 ], [ %193, %203 ]
  %209 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %28) #23
  br label %210

210:                                              ; preds = %138, %141, %144, %147, %150, %153, %156, %159, %162, %165, %168, %171, %174, %177, %180, %133, %206
  %211 = phi i64 [ %207, %206 ], [ %134, %133 ], [ %134, %180 ], [ %134, %177 ], [ %134, %174 ], [ %134, %171 ], [ %134, %168 ], [ %134, %165 ], [ %134, %162 ], [ %134, %159 ], [ %134, %156 ], [ %134, %153 ], [ %134, %150 ], [ %134, %147 ], [ %134, %144 ], [ %134, %141 ], [ %134, %138 ]
  %212 = phi i64 [ %208, %206 ], [ %135, %133 ], [ %135, %180 ], [ %135, %177 ], [ %135, %174 ], [ %135, %171 ], [ %135, %168 ], [ %135, %165 ], [ %135, %162 ], [ %135, %159 ], [ %135, %156 ], [ %135, %153 ], [ %135, %150 ], [ %135, %147 ], [ %135, %144 ], [ %135, %141 ], [ %135, %138 ]
  br label %40
}

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #13

; Function Attrs: nounwind
declare i32 @pthread_setname_np(i64 noundef, ptr noundef) local_unnamed_addr #9

; Function Attrs: nounwind
declare i32 @pthread_detach(i64 noundef) local_unnamed_addr #9

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef) local_unnamed_addr #5

; Function Attrs: nofree
declare noundef i32 @open(ptr noundef readonly captures(none), i32 noundef, ...) local_unnamed_addr #14

; Function Attrs: nofree
declare noundef i64 @pread(i32 noundef, ptr noundef captures(none), i64 noundef, i64 noundef) local_unnamed_addr #14

; Function Attrs: mustprogress nocallback nofree nounwind willreturn
declare i64 @strtoll(ptr noundef readonly, ptr noundef captures(none), i32 noundef) local_unnamed_addr #15

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) uwtable
define internal void @record(ptr noundef writeonly captures(none) initializes((192, 212)) %0, ptr noundef %1, i64 noundef %2, i32 noundef %3) #3 {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 192
  store ptr %1, ptr %5, align 8, !tbaa !18
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 200
  store i64 %2, ptr %6, align 8, !tbaa !27
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 208
  store i32 %3, ptr %7, align 8, !tbaa !25
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable
define internal i64 @recorded(ptr noundef captures(none) initializes((192, 200)) %0) #16 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 192
  store ptr null, ptr %2, align 8, !tbaa !18
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %4 = load i64, ptr %3, align 8, !tbaa !27
  ret i64 %4
}

; Function Attrs: nounwind
declare i32 @pthread_key_create(ptr noundef, ptr noundef) local_unnamed_addr #9

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define internal noundef nonnull ptr @install(ptr noundef %0) #17 {
  store ptr %0, ptr @tvm, align 8, !tbaa !11
  ret ptr @launch
}

; Function Attrs: nounwind uwtable
define internal noundef ptr @make_pool(i32 noundef %0, i32 noundef %1) #1 {
  %3 = tail call noalias dereferenceable_or_null(16600) ptr @calloc(i64 noundef 1, i64 noundef 16600) #26
  %4 = icmp eq ptr %3, null
  br i1 %4, label %14, label %5

5:                                                ; preds = %2
  store i32 %0, ptr %3, align 8, !tbaa !33
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 4
  store i32 %1, ptr %6, align 4, !tbaa !35
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %8 = tail call i32 @pthread_mutex_init(ptr noundef nonnull %7, ptr noundef null) #23
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 56
  %10 = tail call i32 @pthread_cond_init(ptr noundef nonnull %9, ptr noundef null) #23
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 104
  %12 = tail call i32 @pthread_cond_init(ptr noundef nonnull %11, ptr noundef null) #23
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 184
  store i64 20000000, ptr %13, align 8, !tbaa !10
  br label %14

14:                                               ; preds = %2, %5
  ret ptr %3
}

; Function Attrs: nounwind uwtable
define internal void @use(ptr noundef %0) #1 {
  %2 = load i32, ptr @chosen, align 4, !tbaa !6
  %3 = tail call i32 @pthread_setspecific(i32 noundef %2, ptr noundef %0) #23
  ret void
}

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #18

; Function Attrs: nounwind
declare i32 @pthread_mutex_init(ptr noundef, ptr noundef) local_unnamed_addr #9

; Function Attrs: nounwind
declare i32 @pthread_cond_init(ptr noundef, ptr noundef) local_unnamed_addr #9

; Function Attrs: nounwind
declare i32 @pthread_setspecific(i32 noundef, ptr noundef) local_unnamed_addr #9

; Function Attrs: nofree nounwind
declare i32 @posix_memalign(ptr noundef, i64 noundef, i64 noundef) local_unnamed_addr #19

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: read)
declare i32 @strcmp(ptr noundef captures(none), ptr noundef captures(none)) local_unnamed_addr #20

; Function Attrs: nounwind uwtable
define internal noundef i32 @refuse_index(ptr readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 %2, ptr readnone captures(none) %3) #1 {
  %5 = alloca [20 x i8], align 1
  %6 = alloca [20 x i8], align 1
  %7 = alloca [20 x i8], align 1
  %8 = alloca [20 x i8], align 1
  %9 = alloca [512 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #23
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(22) %9, ptr noundef nonnull align 1 dereferenceable(22) @.str.10, i64 22, i1 false)
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %11 = load i64, ptr %10, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #23
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
  br i1 %25, label %27, label %13, !llvm.loop !146

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
  br i1 %42, label %43, label %35, !llvm.loop !147

43:                                               ; preds = %35
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #23
  store i32 544175136, ptr %41, align 1
  %44 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %45 = load i64, ptr %44, align 8, !tbaa !10
  %46 = add nsw i64 %45, -1
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #23
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
  br i1 %60, label %62, label %48, !llvm.loop !146

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
  br i1 %77, label %78, label %70, !llvm.loop !147

78:                                               ; preds = %70
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #23
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(13) %76, ptr noundef nonnull align 1 dereferenceable(13) @.str.12, i64 13, i1 false)
  %79 = load i64, ptr %44, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #23
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
  br i1 %93, label %95, label %81, !llvm.loop !146

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
  br i1 %110, label %111, label %103, !llvm.loop !147

111:                                              ; preds = %103
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #23
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(15) %109, ptr noundef nonnull align 1 dereferenceable(15) @.str.13, i64 15, i1 false)
  %112 = getelementptr inbounds nuw i8, ptr %105, i64 16
  %113 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %114 = load ptr, ptr %113, align 8, !tbaa !10
  %115 = tail call i64 @strlen(ptr noundef nonnull readonly dereferenceable(1) %114) #25
  %116 = tail call i64 @llvm.umin.i64(i64 %115, i64 300)
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %112, ptr nonnull readonly align 1 %114, i64 %116, i1 false)
  %117 = getelementptr inbounds nuw i8, ptr %112, i64 %116
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(9) %117, ptr noundef nonnull align 1 dereferenceable(9) @.str.14, i64 9, i1 false)
  %118 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %119 = load i64, ptr %118, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #23
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
  br i1 %133, label %135, label %121, !llvm.loop !146

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
  br i1 %150, label %151, label %143, !llvm.loop !147

151:                                              ; preds = %143
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #23
  store i8 0, ptr %149, align 1, !tbaa !10
  %152 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  call void %152(ptr noundef nonnull @.str.15, ptr noundef nonnull %9) #23
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #23
  ret i32 -1
}

; Function Attrs: nounwind uwtable
define internal noundef i32 @refuse_size(ptr readnone captures(none) %0, ptr noundef readonly captures(none) %1, i32 %2, ptr readnone captures(none) %3) #1 {
  %5 = alloca [20 x i8], align 1
  %6 = alloca [20 x i8], align 1
  %7 = alloca [512 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #23
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(76) %7, ptr noundef nonnull align 1 dereferenceable(76) @.str.16, i64 76, i1 false)
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 76
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(14) %8, ptr noundef nonnull align 1 dereferenceable(14) @.str.17, i64 14, i1 false)
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %10 = load i64, ptr %9, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #23
  %11 = tail call i64 @llvm.abs.i64(i64 %10, i1 false)
  br label %12

12:                                               ; preds = %12, %4
  %13 = phi i32 [ %25, %12 ], [ 1, %4 ]
  %14 = phi i64 [ %22, %12 ], [ 0, %4 ]
  %15 = phi i64 [ %17, %12 ], [ %11, %4 ]
  %16 = freeze i64 %15
  %17 = udiv i64 %16, 10
  %18 = mul i64 %17, 10
  %19 = sub i64 %16, %18
  %20 = trunc nuw nsw i64 %19 to i8
  %21 = or disjoint i8 %20, 48
  %22 = add nuw nsw i64 %14, 1
  %23 = getelementptr inbounds nuw i8, ptr %6, i64 %14
  store i8 %21, ptr %23, align 1, !tbaa !10
  %24 = icmp ult i64 %15, 10
  %25 = add nuw i32 %13, 1
  br i1 %24, label %26, label %12, !llvm.loop !146

26:                                               ; preds = %12
  %27 = getelementptr inbounds nuw i8, ptr %7, i64 90
  %28 = icmp slt i64 %10, 0
  br i1 %28, label %29, label %31

29:                                               ; preds = %26
  %30 = getelementptr inbounds nuw i8, ptr %7, i64 91
  store i8 45, ptr %27, align 1, !tbaa !10
  br label %31

31:                                               ; preds = %29, %26
  %32 = phi ptr [ %30, %29 ], [ %27, %26 ]
  %33 = sext i32 %13 to i64
  br label %34

34:                                               ; preds = %34, %31
  %35 = phi i64 [ %33, %31 ], [ %37, %34 ]
  %36 = phi ptr [ %32, %31 ], [ %40, %34 ]
  %37 = add nsw i64 %35, -1
  %38 = getelementptr inbounds i8, ptr %6, i64 %37
  %39 = load i8, ptr %38, align 1, !tbaa !10
  %40 = getelementptr inbounds nuw i8, ptr %36, i64 1
  store i8 %39, ptr %36, align 1, !tbaa !10
  %41 = icmp eq i64 %37, 0
  br i1 %41, label %42, label %34, !llvm.loop !147

42:                                               ; preds = %34
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #23
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %40, ptr noundef nonnull align 1 dereferenceable(16) @.str.18, i64 16, i1 false)
  %43 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %44 = load i64, ptr %43, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #23
  %45 = tail call i64 @llvm.abs.i64(i64 %44, i1 false)
  br label %46

46:                                               ; preds = %46, %42
  %47 = phi i32 [ %59, %46 ], [ 1, %42 ]
  %48 = phi i64 [ %56, %46 ], [ 0, %42 ]
  %49 = phi i64 [ %51, %46 ], [ %45, %42 ]
  %50 = freeze i64 %49
  %51 = udiv i64 %50, 10
  %52 = mul i64 %51, 10
  %53 = sub i64 %50, %52
  %54 = trunc nuw nsw i64 %53 to i8
  %55 = or disjoint i8 %54, 48
  %56 = add nuw nsw i64 %48, 1
  %57 = getelementptr inbounds nuw i8, ptr %5, i64 %48
  store i8 %55, ptr %57, align 1, !tbaa !10
  %58 = icmp ult i64 %49, 10
  %59 = add nuw i32 %47, 1
  br i1 %58, label %60, label %46, !llvm.loop !146

60:                                               ; preds = %46
  %61 = getelementptr inbounds nuw i8, ptr %36, i64 17
  %62 = icmp slt i64 %44, 0
  br i1 %62, label %63, label %65

63:                                               ; preds = %60
  %64 = getelementptr inbounds nuw i8, ptr %36, i64 18
  store i8 45, ptr %61, align 1, !tbaa !10
  br label %65

65:                                               ; preds = %63, %60
  %66 = phi ptr [ %64, %63 ], [ %61, %60 ]
  %67 = sext i32 %47 to i64
  br label %68

68:                                               ; preds = %68, %65
  %69 = phi i64 [ %67, %65 ], [ %71, %68 ]
  %70 = phi ptr [ %66, %65 ], [ %74, %68 ]
  %71 = add nsw i64 %69, -1
  %72 = getelementptr inbounds i8, ptr %5, i64 %71
  %73 = load i8, ptr %72, align 1, !tbaa !10
  %74 = getelementptr inbounds nuw i8, ptr %70, i64 1
  store i8 %73, ptr %70, align 1, !tbaa !10
  %75 = icmp eq i64 %71, 0
  br i1 %75, label %76, label %68, !llvm.loop !147

76:                                               ; preds = %68
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #23
  %77 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %78 = load ptr, ptr %77, align 8, !tbaa !10
  %79 = tail call i64 @strlen(ptr noundef nonnull readonly dereferenceable(1) %78) #25
  %80 = tail call i64 @llvm.umin.i64(i64 %79, i64 300)
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %74, ptr nonnull readonly align 1 %78, i64 %80, i1 false)
  %81 = getelementptr inbounds nuw i8, ptr %74, i64 %80
  store i8 0, ptr %81, align 1, !tbaa !10
  %82 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  call void %82(ptr noundef nonnull @.str.19, ptr noundef nonnull %7) #23
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #23
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
  %12 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %9, ptr noundef nonnull dereferenceable(8) @.str.20) #25
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %17, label %14

14:                                               ; preds = %4
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %16 = load ptr, ptr %15, align 8, !tbaa !10
  br label %17

17:                                               ; preds = %4, %14
  %18 = phi ptr [ %16, %14 ], [ null, %4 ]
  %19 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %9, ptr noundef nonnull dereferenceable(7) @.str.21) #25
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
  %35 = load i32, ptr %34, align 8, !tbaa !148
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
  %49 = load ptr, ptr %48, align 8, !tbaa !151
  %50 = getelementptr inbounds i64, ptr %49, i64 %38
  %51 = load i64, ptr %50, align 8, !tbaa !28
  %52 = icmp slt i64 %30, 1
  %53 = select i1 %52, i64 %51, i64 %30
  %54 = shl i64 %51, 5
  %55 = or disjoint i64 %54, 16
  %56 = tail call noalias ptr @malloc(i64 noundef %55) #24
  %57 = icmp eq ptr %56, null
  br i1 %57, label %77, label %79

58:                                               ; preds = %40, %72
  %59 = phi i64 [ 0, %40 ], [ %75, %72 ]
  %60 = phi i64 [ 1, %40 ], [ %74, %72 ]
  %61 = phi i64 [ 1, %40 ], [ %73, %72 ]
  %62 = icmp eq i64 %38, %59
  br i1 %62, label %72, label %63

63:                                               ; preds = %58
  %64 = load ptr, ptr %41, align 8, !tbaa !151
  %65 = getelementptr inbounds nuw i64, ptr %64, i64 %59
  %66 = load i64, ptr %65, align 8, !tbaa !28
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
  br i1 %76, label %43, label %58, !llvm.loop !152

77:                                               ; preds = %45
  %78 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8, !tbaa !11
  tail call void %78(ptr noundef nonnull @.str.22, ptr noundef nonnull @.str.23) #23
  br label %248

79:                                               ; preds = %45
  %80 = getelementptr inbounds nuw i8, ptr %11, i64 21
  %81 = icmp sgt i64 %47, 0
  br i1 %81, label %82, label %97

82:                                               ; preds = %79
  %83 = load i8, ptr %80, align 1, !tbaa !153
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
  tail call void @free(ptr noundef %56) #23
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
  %109 = load ptr, ptr %11, align 8, !tbaa !154
  %110 = load i8, ptr %80, align 1, !tbaa !153
  %111 = zext i8 %110 to i64
  %112 = add nuw nsw i64 %111, 4294967295
  %113 = and i64 %112, 4294967295
  %114 = shl nuw i64 1, %113
  %115 = add i64 %114, -1
  %116 = or i64 %115, %114
  %117 = load i8, ptr %88, align 4, !tbaa !155
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
  br i1 %135, label %129, label %180, !llvm.loop !156

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
  br i1 %149, label %136, label %134, !llvm.loop !157

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
  %164 = load i64, ptr %163, align 8, !tbaa !158
  %165 = getelementptr inbounds %struct.Element, ptr %130, i64 %153
  %166 = load i64, ptr %165, align 8, !tbaa !158
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
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %176, ptr noundef nonnull align 8 dereferenceable(16) %177, i64 16, i1 false), !tbaa.struct !160
  %178 = add nsw i64 %152, 1
  %179 = icmp eq i64 %178, %141
  br i1 %179, label %147, label %151, !llvm.loop !161

180:                                              ; preds = %134, %98, %128
  %181 = phi ptr [ %56, %128 ], [ %56, %98 ], [ %131, %134 ]
  br i1 %93, label %217, label %214

182:                                              ; preds = %108, %207
  %183 = phi i64 [ 0, %108 ], [ %212, %207 ]
  %184 = mul nsw i64 %183, %46
  %185 = add nsw i64 %184, %106
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  store i64 0, ptr %5, align 8, !tbaa !28
  %186 = mul nsw i64 %185, %87
  %187 = getelementptr inbounds i8, ptr %109, i64 %186
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 8 %5, ptr readonly align 1 %187, i64 %87, i1 false)
  %188 = load i64, ptr %5, align 8, !tbaa !28
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
  store i64 %210, ptr %209, align 8, !tbaa !28
  %211 = getelementptr inbounds nuw i8, ptr %209, i64 8
  store i64 %183, ptr %211, align 8, !tbaa !28
  %212 = add nuw nsw i64 %183, 1
  %213 = icmp eq i64 %212, %51
  br i1 %213, label %128, label %182, !llvm.loop !162

214:                                              ; preds = %245, %180
  %215 = add nuw nsw i64 %99, 1
  %216 = icmp eq i64 %215, %47
  br i1 %216, label %97, label %98, !llvm.loop !163

217:                                              ; preds = %180, %245
  %218 = phi i64 [ %246, %245 ], [ 0, %180 ]
  %219 = getelementptr inbounds nuw %struct.Element, ptr %181, i64 %218
  %220 = getelementptr inbounds nuw i8, ptr %219, i64 8
  %221 = load i64, ptr %220, align 8, !tbaa !164
  %222 = mul nsw i64 %221, %46
  %223 = add nsw i64 %222, %106
  %224 = add i64 %218, %107
  %225 = mul i64 %224, %46
  %226 = add i64 %225, %105
  br i1 %94, label %237, label %227

227:                                              ; preds = %217
  %228 = load i8, ptr %95, align 1, !tbaa !153
  %229 = icmp eq i8 %228, 64
  br i1 %229, label %230, label %233

230:                                              ; preds = %227
  %231 = load ptr, ptr %28, align 8, !tbaa !154
  %232 = getelementptr inbounds i64, ptr %231, i64 %226
  store i64 %221, ptr %232, align 8, !tbaa !28
  br label %237

233:                                              ; preds = %227
  %234 = trunc i64 %221 to i32
  %235 = load ptr, ptr %28, align 8, !tbaa !154
  %236 = getelementptr inbounds i32, ptr %235, i64 %226
  store i32 %234, ptr %236, align 4, !tbaa !6
  br label %237

237:                                              ; preds = %233, %230, %217
  br i1 %96, label %245, label %238

238:                                              ; preds = %237
  %239 = load ptr, ptr %18, align 8, !tbaa !154
  %240 = mul nsw i64 %226, %87
  %241 = getelementptr inbounds i8, ptr %239, i64 %240
  %242 = load ptr, ptr %11, align 8, !tbaa !154
  %243 = mul nsw i64 %223, %87
  %244 = getelementptr inbounds i8, ptr %242, i64 %243
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %241, ptr align 1 %244, i64 %87, i1 false)
  br label %245

245:                                              ; preds = %238, %237
  %246 = add nuw nsw i64 %218, 1
  %247 = icmp eq i64 %246, %92
  br i1 %247, label %214, label %217, !llvm.loop !165

248:                                              ; preds = %97, %77
  %249 = phi i32 [ 0, %97 ], [ -1, %77 ]
  ret i32 %249
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: read)
declare i64 @strlen(ptr noundef captures(none)) local_unnamed_addr #20

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umax.i32(i32, i32) #21

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #21

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #21

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #21

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #21

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i64> @llvm.fshl.v4i64(<4 x i64>, <4 x i64>, <4 x i64>) #21

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.abs.i64(i64, i1 immarg) #22

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #21

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #1 = { nounwind uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #6 = { mustprogress nofree nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #7 = { nofree nounwind uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #8 = { mustprogress nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #9 = { nounwind "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #10 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #11 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #12 = { noreturn nounwind uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #13 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #14 = { nofree "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #15 = { mustprogress nocallback nofree nounwind willreturn "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #16 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #17 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #18 = { mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #19 = { nofree nounwind "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #20 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: read) "frame-pointer"="non-leaf-no-reserve" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="generic" "target-features"="+enable-select-opt,+ete,+fp-armv8,+fuse-adrp-add,+fuse-aes,+neon,+trbe,+use-postra-scheduler,-CONTEXTIDREL2,-a320,-addr-lsl-slow-14,-aes,-aggressive-fma,-aggressive-interleaving,-alternate-sextload-cvt-f32-pattern,-altnzcv,-alu-lsl-fast,-am,-amvs,-arith-bcc-fusion,-arith-cbz-fusion,-ascend-store-address,-avoid-ldapur,-balance-fp-ops,-bf16,-brbe,-bti,-btie,-call-saved-x10,-call-saved-x11,-call-saved-x12,-call-saved-x13,-call-saved-x14,-call-saved-x15,-call-saved-x18,-call-saved-x8,-call-saved-x9,-ccdp,-ccidx,-ccpp,-chk,-clrbhb,-cmh,-cmp-bcc-fusion,-cmpbr,-complxnum,-cpa,-crc,-crypto,-cssc,-d128,-disable-fast-inc-vl,-disable-latency-sched-heuristic,-disable-ldp,-disable-maximize-scalable-bandwidth,-disable-stp,-disable-unpredicated-ld-st-lower,-dit,-dotprod,-ecv,-el2vmsa,-el3,-execute-only,-exynos-cheap-as-move,-f16f32dot,-f16f32mm,-f16mm,-f32mm,-f64mm,-f8f16mm,-f8f32mm,-faminmax,-fgt,-fix-cortex-a53-835769,-flagm,-fmv,-force-32bit-jump-tables,-fp16fml,-fp8,-fp8dot2,-fp8dot4,-fp8fma,-fpac,-fprcvt,-fptoint,-fujitsu-monaka,-fullfp16,-fuse-address,-fuse-addsub-2reg-const1,-fuse-arith-logic,-fuse-crypto-eor,-fuse-csel,-fuse-cset,-fuse-literals,-gcie,-gcs,-harden-sls-blr,-harden-sls-nocomdat,-harden-sls-retbr,-hbc,-hcx,-i8mm,-ite,-jsconv,-ldp-aligned-only,-lor,-ls64,-lscp,-lse,-lse128,-lse2,-lsfe,-lsui,-lut,-max-interleave-factor-4,-mec,-mops,-mops-go,-mpam,-mpamv2,-mte,-mtetc,-nmi,-no-bti-at-return-twice,-no-neg-immediates,-no-sve-fp-ld1r,-no-zcz-fpr64,-nv,-occmo,-olympus,-outline-atomics,-pan,-pan-rwv,-pauth,-pauth-lr,-pcdphint,-perfmon,-poe2,-pops,-predictable-select-expensive,-predres,-prfm-slc-target,-rand,-ras,-rasv2,-rcpc,-rcpc-immo,-rcpc3,-rdm,-reserve-lr-for-ra,-reserve-x1,-reserve-x10,-reserve-x11,-reserve-x12,-reserve-x13,-reserve-x14,-reserve-x15,-reserve-x18,-reserve-x2,-reserve-x20,-reserve-x21,-reserve-x22,-reserve-x23,-reserve-x24,-reserve-x25,-reserve-x26,-reserve-x27,-reserve-x28,-reserve-x3,-reserve-x4,-reserve-x5,-reserve-x6,-reserve-x7,-reserve-x9,-rme,-sb,-sel2,-sha2,-sha3,-slow-misaligned-128store,-slow-paired-128,-slow-strqro-store,-sm4,-sme,-sme-b16b16,-sme-f16f16,-sme-f64f64,-sme-f8f16,-sme-f8f32,-sme-fa64,-sme-i16i64,-sme-lutv2,-sme-mop4,-sme-tmop,-sme2,-sme2p1,-sme2p2,-sme2p3,-spe,-spe-eef,-specres2,-specrestrict,-ssbs,-ssve-aes,-ssve-bitperm,-ssve-fexpa,-ssve-fp8dot2,-ssve-fp8dot4,-ssve-fp8fma,-store-pair-suppress,-stp-aligned-only,-strict-align,-sve,-sve-aes,-sve-aes2,-sve-b16b16,-sve-b16mm,-sve-bfscale,-sve-bitperm,-sve-f16f32mm,-sve-sha3,-sve-sm4,-sve2,-sve2-aes,-sve2-bitperm,-sve2-sha3,-sve2-sm4,-sve2p1,-sve2p2,-sve2p3,-tagged-globals,-tev,-the,-tlb-rmi,-tlbid,-tlbiw,-tpidr-el1,-tpidr-el2,-tpidr-el3,-tpidrro-el0,-tracev8.4,-uaops,-use-experimental-zeroing-pseudos,-use-fixed-over-scalable-if-equal-cost,-use-reciprocal-square-root,-use-wzr-to-vec-move,-v8.1a,-v8.2a,-v8.3a,-v8.4a,-v8.5a,-v8.6a,-v8.7a,-v8.8a,-v8.9a,-v8a,-v8r,-v9.1a,-v9.2a,-v9.3a,-v9.4a,-v9.5a,-v9.6a,-v9.7a,-v9a,-vh,-wfxt,-xs,-zcm-fpr128,-zcm-fpr32,-zcm-fpr64,-zcm-gpr32,-zcm-gpr64,-zcz-fp-workaround,-zcz-fpr128,-zcz-gpr32,-zcz-gpr64" }
attributes #21 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #22 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #23 = { nounwind }
attributes #24 = { nounwind allocsize(0) }
attributes #25 = { nounwind willreturn memory(read) }
attributes #26 = { nounwind allocsize(0,1) }

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
!18 = !{!19, !21, i64 192}
!19 = !{!"", !7, i64 0, !7, i64 4, !8, i64 8, !8, i64 56, !8, i64 104, !20, i64 152, !8, i64 160, !7, i64 164, !7, i64 168, !8, i64 172, !8, i64 176, !8, i64 184, !21, i64 192, !22, i64 200, !7, i64 208, !8, i64 216}
!20 = !{!"p1 _ZTS3Job", !12, i64 0}
!21 = !{!"p1 long", !12, i64 0}
!22 = !{!"long", !8, i64 0}
!23 = !{!24, !12, i64 0}
!24 = !{!"", !12, i64 0, !7, i64 8}
!25 = !{!19, !7, i64 208}
!26 = !{!24, !7, i64 8}
!27 = !{!19, !22, i64 200}
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
!42 = !{!19, !7, i64 164}
!43 = distinct !{!43, !16}
!44 = !{!19, !20, i64 152}
!45 = !{!37, !20, i64 32}
!46 = !{!19, !7, i64 168}
!47 = !{!20, !20, i64 0}
!48 = distinct !{!48, !16}
!49 = !{i64 166319}
!50 = distinct !{!50, !16}
!51 = distinct !{!51, !16}
!52 = !{!53, !7, i64 4}
!53 = !{!"", !8, i64 0, !7, i64 4}
!54 = distinct !{!54, !16}
!55 = !{!56, !12, i64 64}
!56 = !{!"", !12, i64 0, !12, i64 8, !12, i64 16, !12, i64 24, !12, i64 32, !12, i64 40, !12, i64 48, !12, i64 56, !12, i64 64, !12, i64 72, !12, i64 80, !12, i64 88}
!57 = !{!58, !22, i64 32}
!58 = !{!"", !12, i64 0, !12, i64 8, !22, i64 16, !12, i64 24, !22, i64 32, !22, i64 40, !22, i64 48, !22, i64 56, !12, i64 64, !12, i64 72, !12, i64 80, !21, i64 88}
!59 = !{!58, !22, i64 48}
!60 = !{!56, !12, i64 24}
!61 = !{!58, !12, i64 64}
!62 = !{!63, !22, i64 0}
!63 = !{!"", !22, i64 0, !64, i64 8, !12, i64 56}
!64 = !{!"", !14, i64 0, !7, i64 8, !7, i64 12, !7, i64 16, !7, i64 20, !21, i64 24, !21, i64 32, !22, i64 40}
!65 = !{!56, !12, i64 32}
!66 = !{!56, !12, i64 0}
!67 = !{!64, !14, i64 0}
!68 = !{!64, !22, i64 40}
!69 = !{!56, !12, i64 88}
!70 = !{!64, !7, i64 20}
!71 = !{!64, !7, i64 16}
!72 = !{!64, !21, i64 24}
!73 = !{!64, !21, i64 32}
!74 = distinct !{!74, !16}
!75 = distinct !{!75, !16}
!76 = !{!58, !22, i64 40}
!77 = !{!58, !12, i64 72}
!78 = !{!79, !22, i64 0}
!79 = !{!"", !22, i64 0, !12, i64 8, !22, i64 16, !14, i64 24}
!80 = !{!79, !12, i64 8}
!81 = !{!56, !12, i64 8}
!82 = !{!79, !14, i64 24}
!83 = !{!79, !22, i64 16}
!84 = distinct !{!84, !16}
!85 = !{!56, !12, i64 56}
!86 = !{!56, !12, i64 16}
!87 = !{!58, !12, i64 80}
!88 = !{!89, !12, i64 0}
!89 = !{!"", !12, i64 0, !12, i64 8}
!90 = distinct !{!90, !16}
!91 = !{!89, !12, i64 8}
!92 = distinct !{!92, !16}
!93 = !{!63, !12, i64 56}
!94 = distinct !{!94, !16}
!95 = !{!58, !12, i64 24}
!96 = !{!58, !12, i64 0}
!97 = !{!58, !12, i64 8}
!98 = !{!58, !22, i64 16}
!99 = !{!56, !12, i64 40}
!100 = !{!58, !22, i64 56}
!101 = !{!58, !21, i64 88}
!102 = !{!56, !12, i64 72}
!103 = !{!56, !12, i64 48}
!104 = !{!56, !12, i64 80}
!105 = distinct !{!105, !16}
!106 = !{!107, !12, i64 32}
!107 = !{!"", !22, i64 0, !22, i64 8, !22, i64 16, !12, i64 24, !12, i64 32}
!108 = !{!107, !22, i64 8}
!109 = !{!107, !22, i64 0}
!110 = !{!107, !12, i64 24}
!111 = !{!112, !22, i64 16}
!112 = !{!"", !12, i64 0, !14, i64 8, !22, i64 16}
!113 = distinct !{!113, !16}
!114 = !{!112, !14, i64 8}
!115 = !{!116}
!116 = distinct !{!116, !117, !"joined_at: argument 0"}
!117 = distinct !{!117, !"joined_at"}
!118 = !{!119, !116}
!119 = distinct !{!119, !120, !"joined: argument 0"}
!120 = distinct !{!120, !"joined"}
!121 = distinct !{!121, !16}
!122 = !{!123, !116}
!123 = distinct !{!123, !124, !"joined: argument 0"}
!124 = distinct !{!124, !"joined"}
!125 = distinct !{!125, !16}
!126 = !{!107, !22, i64 16}
!127 = distinct !{!127, !16}
!128 = !{!112, !12, i64 0}
!129 = !{!130}
!130 = distinct !{!130, !131, !"joined_at: argument 0"}
!131 = distinct !{!131, !"joined_at"}
!132 = !{!133, !130}
!133 = distinct !{!133, !134, !"joined: argument 0"}
!134 = distinct !{!134, !"joined"}
!135 = !{!136, !130}
!136 = distinct !{!136, !137, !"joined: argument 0"}
!137 = distinct !{!137, !"joined"}
!138 = distinct !{!138, !16}
!139 = distinct !{!139, !16}
!140 = distinct !{!140, !16}
!141 = distinct !{!141, !16}
!142 = distinct !{!142, !16}
!143 = distinct !{!143, !16}
!144 = distinct !{!144, !16}
!145 = distinct !{!145, !16}
!146 = distinct !{!146, !16}
!147 = distinct !{!147, !16}
!148 = !{!149, !7, i64 16}
!149 = !{!"", !12, i64 0, !7, i64 8, !7, i64 12, !7, i64 16, !8, i64 20, !8, i64 21, !150, i64 22, !21, i64 24, !21, i64 32, !22, i64 40}
!150 = !{!"short", !8, i64 0}
!151 = !{!149, !21, i64 24}
!152 = distinct !{!152, !16}
!153 = !{!149, !8, i64 21}
!154 = !{!149, !12, i64 0}
!155 = !{!149, !8, i64 20}
!156 = distinct !{!156, !16}
!157 = distinct !{!157, !16}
!158 = !{!159, !22, i64 0}
!159 = !{!"", !22, i64 0, !22, i64 8}
!160 = !{i64 0, i64 8, !28, i64 8, i64 8, !28}
!161 = distinct !{!161, !16}
!162 = distinct !{!162, !16}
!163 = distinct !{!163, !16}
!164 = !{!159, !22, i64 8}
!165 = distinct !{!165, !16}
