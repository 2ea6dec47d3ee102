mod studio;
mod whole;
mod worlds;
