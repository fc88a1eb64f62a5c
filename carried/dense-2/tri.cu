#include <cstdio>
#include <cstdint>
#include <vector>
#include <algorithm>
#include <cstring>
#include <limits>
template<class F> float T_(F f,int r=5){cudaEvent_t a,b;cudaEventCreate(&a);cudaEventCreate(&b);f();std::vector<float>t;for(int i=0;i<r;i++){cudaEventRecord(a);f();cudaEventRecord(b);cudaEventSynchronize(b);float m;cudaEventElapsedTime(&m,a,b);t.push_back(m);}std::sort(t.begin(),t.end());return t[r/2];}
__global__ void initf(float*a,size_t n){for(size_t i=blockIdx.x*(size_t)blockDim.x+threadIdx.x;i<n;i+=(size_t)gridDim.x*blockDim.x){uint32_t z=(uint32_t)i*2654435761u;z^=z>>15;z*=2246822519u;z^=z>>13;a[i]=1.f+(z>>9)*(1.f/8388608);}}
template<bool MIN> __device__ __forceinline__ float lesser(float s,float t){ if(MIN) return fminf(s,t); asm("":"+f"(s)); return t<s?t:s;}
__device__ __forceinline__ int imax(int a,int b){return a>b?a:b;} __device__ __forceinline__ int imin(int a,int b){return a<b?a:b;}

// tile wavefronts; full tiles in registers
template<int N,int T,int TEAM,bool MIN,int UN,bool EARLY,class B,class W> __device__ __forceinline__ void tiles(B best,W weight,int member){
  constexpr int R=N-2,NT=(R+T-1)/T;
  #pragma unroll 1
  for(int step=0;step<2*NT-1;step++){
    __syncwarp();
    #pragma unroll 1
    for(int I=member;I<NT;I+=TEAM){
      int J=step-I;if(J<0||J>=NT)continue;
      // rows descend
      auto iof=[&](int u){return N-2-imin(I*T+u,R-1);};auto jof=[&](int v){return 2+imin(J*T+v,R-1);};
      int midlo=iof(0),midhi=jof(0);
      bool full=jof(0)>iof(0);
      if(full){
        float s[T][T],w[T][T];
        if(EARLY){
        #pragma unroll
        for(int u=0;u<T;u++)
        #pragma unroll
        for(int v=0;v<T;v++)w[u][v]=weight((iof(u)-1)*N+jof(v));}
        #pragma unroll
        for(int u=0;u<T;u++)
        #pragma unroll
        for(int v=0;v<T;v++)s[u][v]=__builtin_huge_valf();
        #pragma unroll UN
        for(int k=midlo;k<midhi;k++){float a[T],b[T];
          #pragma unroll
          for(int u=0;u<T;u++)a[u]=best(iof(u)*N+k);
          #pragma unroll
          for(int v=0;v<T;v++)b[v]=best((k+1)*N+jof(v));
          #pragma unroll
          for(int u=0;u<T;u++)
          #pragma unroll
          for(int v=0;v<T;v++)s[u][v]=lesser<MIN>(s[u][v],__fadd_rn(a[u],b[v]));}
        #pragma unroll
        for(int u=0;u<T;u++)
        #pragma unroll
        for(int v=0;v<T;v++){
          float x=s[u][v];
          #pragma unroll
          for(int q=0;q<u;q++)x=lesser<MIN>(x,__fadd_rn(best(iof(u)*N+iof(q)-1),s[q][v]));
          #pragma unroll
          for(int q=0;q<v;q++)x=lesser<MIN>(x,__fadd_rn(s[u][q],best((jof(q)+1)*N+jof(v))));
          s[u][v]=__fadd_rn(x,EARLY?w[u][v]:weight((iof(u)-1)*N+jof(v)));}
        #pragma unroll
        for(int u=0;u<T;u++)
        #pragma unroll
        for(int v=0;v<T;v++)if(I*T+u<R&&J*T+v<R)best(iof(u)*N+jof(v))=s[u][v];
      } else if(jof(T-1)>iof(T-1)) {
        #pragma unroll 1
        for(int u=0;u<T;u++)
        #pragma unroll 1
        for(int v=0;v<T;v++){int i=iof(u),j=jof(v);if(I*T+u<R&&J*T+v<R&&j>i){
          float x=__builtin_huge_valf();
          #pragma unroll 1
          for(int k=i;k<j;k++)x=lesser<MIN>(x,__fadd_rn(best(i*N+k),best((k+1)*N+j)));
          best(i*N+j)=__fadd_rn(x,weight((i-1)*N+j));}}
      }
    }
  }
}
template<int N,int T,int TEAM,bool STW,bool MIN,int UN,int WPB,int RES,bool EARLY> __global__ void __launch_bounds__(WPB*32,RES) tri(const float*weight,float*best,uint64_t p){
  constexpr int G=32/TEAM,C=N*N,P=C+(TEAM<32?TEAM:0);
  extern __shared__ float4 sm[];
  int w=threadIdx.x/32,l=threadIdx.x%32,g=l/TEAM,m=l%TEAM;
  float*sb=(float*)sm+(size_t)w*G*P*(STW?2:1),*sw=sb+G*P;
  uint64_t i0=(blockIdx.x*(uint64_t)WPB+w)*G;if(i0>=p)return;
  for(int q=0;q<G;q++){const float4*gb=(const float4*)(best+(i0+q)*C),*gw=(const float4*)(weight+(i0+q)*C);
    for(int x=l;x<C/4;x+=32){
      uint32_t d=(uint32_t)__cvta_generic_to_shared((float4*)(sb+q*P)+x);asm volatile("cp.async.ca.shared.global [%0],[%1],16;"::"r"(d),"l"(gb+x));
      if(STW){uint32_t d=(uint32_t)__cvta_generic_to_shared((float4*)(sw+q*P)+x);asm volatile("cp.async.ca.shared.global [%0],[%1],16;"::"r"(d),"l"(gw+x));}}}
  asm volatile("cp.async.wait_all;");__syncwarp();
  float*b=sb+g*P;const float*ww=STW?sw+g*P:weight+(i0+g)*C;
  for(int i=1+m;i<N;i+=TEAM)b[i*N+i]=0;
  auto best_=[&](int c)->float&{return b[c];};auto weight_=[&](int c){return ww[c];};
  tiles<N,T,TEAM,MIN,UN,EARLY>(best_,weight_,m);
  __syncwarp();
  for(int q=0;q<G;q++){float4*gb=(float4*)(best+(i0+q)*C);for(int x=l;x<C/4;x+=32)gb[x]=((float4*)(sb+q*P))[x];}
}
// best where the caller has it. CO: column-wise (stride p); lanes of a warp: TEAM members of 32/TEAM instances; or transposed: instance fastest
template<int N,int T,int TEAM,bool MIN,int UN,bool CO,bool IF,bool EARLY> __global__ void __launch_bounds__(128) trig(const float*weight,float*best,uint64_t p){
  uint64_t t=blockIdx.x*(uint64_t)blockDim.x+threadIdx.x;uint64_t inst;int m;
  if(IF){constexpr int G=32/TEAM;uint64_t wi=t/32;inst=wi*G+t%G;m=t%32/G;}else{inst=t/TEAM;m=t%TEAM;}
  if(inst>=p)return;
  auto at=[&](int c)->size_t{return CO?(size_t)c*p+inst:inst*N*N+c;};
  for(int i=1+m;i<N;i+=TEAM)best[at(i*N+i)]=0;
  auto best_=[&](int c)->float&{return best[at(c)];};auto weight_=[&](int c){return weight[at(c)];};
  tiles<N,T,TEAM,MIN,UN,EARLY>(best_,weight_,m);
}
void seq(const float*weight,float*best,int n){for(int i=1;i<n;i++)best[i*n+i]=0;for(int i=n-2;i>=1;i--)for(int j=i+1;j<n;j++){float least=std::numeric_limits<float>::infinity();for(int k=i;k<j;k++){float sum=best[i*n+k]+best[(k+1)*n+j];if(sum<least)least=sum;}best[i*n+j]=least+weight[(i-1)*n+j];}}
float *w,*b;
template<class F> void go(const char*name,int N,uint64_t p,bool col,F f){
  initf<<<4096,256>>>(w,(size_t)p*N*N);initf<<<4096,256>>>(b,(size_t)p*N*N);cudaDeviceSynchronize();
  int chk=N>100?1:16;std::vector<float>hw((size_t)N*N),hb((size_t)N*N),ref;bool ok=true;
  size_t all=(size_t)p*N*N;std::vector<float> h0; 
  auto get=[&](float*d,uint64_t inst,std::vector<float>&o){if(!col)cudaMemcpy(o.data(),d+inst*N*N,o.size()*4,cudaMemcpyDeviceToHost);else cudaMemcpy2D(o.data(),4,d+inst,p*4,4,N*N,cudaMemcpyDeviceToHost);};
  std::vector<std::vector<float>>refs;std::vector<uint64_t>ins;
  for(int q=0;q<chk;q++){uint64_t in=(q*7919ull)%p;ins.push_back(in);get(w,in,hw);get(b,in,hb);seq(hw.data(),hb.data(),N);refs.push_back(hb);}
  f();cudaError_t e=cudaDeviceSynchronize();
  for(int q=0;q<chk;q++){get(b,ins[q],hb);ok&=!memcmp(hb.data(),refs[q].data(),hb.size()*4);}
  float t=e?0:T_(f,N>100?3:5);printf("%-44s %10.2f ns each %s %s\n",name,t*1e6/p,ok?"equal":"DIFFERS",cudaGetErrorString(cudaGetLastError()));fflush(stdout);
}
template<int N,int T,int TEAM,bool STW,bool MIN,int UN,int WPB,int RES,bool EARLY> void rows(const char*nm,uint64_t p){
  constexpr int G=32/TEAM,P=N*N+(TEAM<32?TEAM:0);int sh=WPB*G*P*(STW?2:1)*4;
  cudaFuncSetAttribute(tri<N,T,TEAM,STW,MIN,UN,WPB,RES,EARLY>,cudaFuncAttributeMaxDynamicSharedMemorySize,sh);
  go(nm,N,p,false,[&]{tri<N,T,TEAM,STW,MIN,UN,WPB,RES,EARLY><<<p/G/WPB,WPB*32,sh>>>(w,b,p);});
}
int main(){
  size_t M=(size_t)1<<28;cudaMalloc(&w,M*4);cudaMalloc(&b,M*4);
  uint64_t p=65536;
#if PART==0
  rows<64,4,16,false,true,4,1,7,true>("64 T4 team16 w-direct early min un4",p);
  rows<64,4,16,false,true,4,1,7,false>("64 T4 team16 w-direct late min un4",p);
  rows<64,4,16,false,false,4,1,7,true>("64 T4 team16 w-direct early cmp un4",p);
  rows<64,4,16,true,true,4,1,3,false>("64 T4 team16 w-staged min un4",p);
#elif PART==1
  rows<64,2,32,false,true,8,1,13,true>("64 T2 team32 w-direct early min un8",p);
  rows<64,2,32,false,true,4,1,13,true>("64 T2 team32 w-direct early min un4",p);
  rows<64,2,32,false,false,8,1,13,true>("64 T2 team32 w-direct early cmp un8",p);
  rows<64,4,32,false,true,4,1,13,true>("64 T4 team32(half) w-direct early min un4",p);
  rows<64,2,32,true,true,8,1,7,false>("64 T2 team32 w-staged min un8",p);
#elif PART==2
  {uint64_t P=p;go("64 col T8 team1 min",64,P,true,[&]{trig<64,8,1,true,1,true,false,false><<<P/128,128>>>(w,b,P);});
   go("64 col T4 team1 min",64,P,true,[&]{trig<64,4,1,true,4,true,false,true><<<P/128,128>>>(w,b,P);});
   go("64 col T4 team1 min 64 threads",64,P,true,[&]{trig<64,4,1,true,4,true,false,true><<<P/64,64>>>(w,b,P);});
   go("64 col T4 team2 instance fastest min",64,P,true,[&]{trig<64,4,2,true,4,true,true,true><<<P*2/128,128>>>(w,b,P);});
   go("64 col T6 team1 min",64,P,true,[&]{trig<64,6,1,true,2,true,false,false><<<P/128,128>>>(w,b,P);});}
#elif PART==3
  {uint64_t P=1000;
   go("512 row T8 team32 in place min",512,P,false,[&]{trig<512,8,32,true,1,false,false,false><<<P*32/128,128>>>(w,b,P);});
   go("512 row T4 team32 in place min",512,P,false,[&]{trig<512,4,32,true,4,false,false,true><<<P*32/128,128>>>(w,b,P);});
   go("512 row T4 team32 in place cmp",512,P,false,[&]{trig<512,4,32,false,4,false,false,true><<<P*32/128,128>>>(w,b,P);});}
#elif PART==4
  rows<64,8,8,false,true,1,1,3,false>("64 T8 team8 w-direct late min un1",p);
  rows<64,3,32,false,true,4,1,13,true>("64 T3 team32 w-direct early min un4",p);
  rows<64,4,16,false,true,2,1,7,true>("64 T4 team16 w-direct early min un2",p);
  rows<64,4,16,false,true,8,1,7,true>("64 T4 team16 w-direct early min un8",p);
#endif
}
