mod searches;
