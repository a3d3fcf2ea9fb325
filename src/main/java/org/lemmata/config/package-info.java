/**
 * Configurations: YAML and {@code key=value} read against a list of sections and keys;
 * {@link org.lemmata.config.Configuration} is the door.
 */
@NullMarked
package org.lemmata.config;

import org.jspecify.annotations.NullMarked;
