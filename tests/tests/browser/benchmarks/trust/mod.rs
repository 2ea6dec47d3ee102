mod games;
mod playing;
