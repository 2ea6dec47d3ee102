mod logs;
mod phh;
