// CHECK: order.cpp:[[#@LINE+4]]: two arguments of binary() append
// CHECK-NOT: order.cpp
ValueId both(Builder &builder, ValueId a, ValueId b) {
  auto one = [&] { return builder.constantInt(S32, 1); };
  ValueId fault = builder.binary(Opcode::Add, one(), builder.cast(b, S64));
  // builder.binary(Opcode::Add, one(), one()) is only spoken of.
  ValueId first = one();
  ValueId ordered = builder.math(MathFn::Fma, {one(), one(), fault});
  return builder.binary(Opcode::Add, first, builder.binary(Opcode::Sub, one2(b), ordered));
}
ValueId one2(ValueId b) { return b; }
