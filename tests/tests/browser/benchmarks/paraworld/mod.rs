mod whole;
mod worlds;
