// placeholder until the stage lands
namespace colonnade {}
