/**
 * Configurations: YAML and {@code key=value} overrides, checked against a list of sections and keys;
 * {@link org.lemmata.config.Configuration} is the entry point.
 */
@NullMarked
package org.lemmata.config;

import org.jspecify.annotations.NullMarked;
