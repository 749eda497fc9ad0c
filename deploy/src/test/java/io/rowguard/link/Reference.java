package io.rowguard.link;

/**
 * Class, method or field that a class file needs of another class, in the terms of the JVM.
 *
 * @param owner internal name of the class that is asked
 * @param name of a method or field; null when only the class is asked for
 * @param descriptor of the method or field; null likewise
 * @param isStatic whether it is used as a static one; means nothing for a class
 */
record Reference(String owner, String name, String descriptor, boolean isStatic) {

  /** To a class. */
  static Reference toClass(String owner) {
    return new Reference(owner, null, null, false);
  }

  boolean isToMethod() {
    return name != null && descriptor.startsWith("(");
  }

  /** As in a golden file. */
  @Override
  public String toString() {
    return name == null
        ? owner
        : owner + "." + name + (isToMethod() ? "" : " ") + descriptor + (isStatic ? " static" : "");
  }
}
