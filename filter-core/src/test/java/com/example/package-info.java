/** What a user of the library writes, where the documents speak of it. */
@NullMarked
package com.example;

import org.jspecify.annotations.NullMarked;
