mod logs;
