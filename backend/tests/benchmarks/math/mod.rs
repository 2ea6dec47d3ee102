mod exchanged;
