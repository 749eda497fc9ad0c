package io.rowguard.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The classes of some jars, and what they offer. */
final class ClassFiles {
  /** Members that one class offers. */
  private record Offer(List<String> parents, Map<String, Integer> members) {}

  private final Map<String, Offer> offers = new HashMap<>();

  private ClassFiles() {}

  /** The classes of all jars of a directory. */
  static ClassFiles in(Path directory) throws IOException {
    ClassFiles files = new ClassFiles();
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.jar")) {
      for (Path jar : jars) {
        files.add(jar);
      }
    }
    return files;
  }

  private void add(Path path) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        String name = entry.getName();
        if (name.endsWith(".class") && !name.startsWith("META-INF/")) {
          try (InputStream in = jar.getInputStream(entry)) {
            add(new ClassReader(in));
          }
        }
      }
    }
  }

  private Offer add(ClassReader reader) {
    List<String> parents = new ArrayList<>();
    if (reader.getSuperName() != null) {
      parents.add(reader.getSuperName());
    }
    parents.addAll(List.of(reader.getInterfaces()));
    Map<String, Integer> members = new HashMap<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(
              int access, String name, String descriptor, String signature, Object value) {
            members.put(name + " " + descriptor, access);
            return null;
          }

          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            members.put(name + " " + descriptor, access);
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
    Offer offer = new Offer(parents, members);
    offers.put(reader.getClassName(), offer);
    return offer;
  }

  boolean has(String owner) {
    return offer(owner) != null;
  }

  /**
   * Whether a reference can be linked: the class is there, and it or a class or interface above it
   * has the member, static or not as it is used, and not private.
   */
  boolean links(Reference reference) {
    return reference.name() == null
        ? has(reference.owner())
        : links(reference, reference.owner(), new HashSet<>());
  }

  private boolean links(Reference reference, String owner, Set<String> seen) {
    Offer offer = offer(owner);
    if (offer == null || !seen.add(owner)) {
      return false;
    }
    Integer access = offer.members().get(reference.name() + " " + reference.descriptor());
    if (access != null) {
      boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
      return isStatic == reference.isStatic() && (access & Opcodes.ACC_PRIVATE) == 0;
    }
    return offer.parents().stream().anyMatch(parent -> links(reference, parent, seen));
  }

  /** Of these jars, or of the JDK. */
  private Offer offer(String owner) {
    Offer known = offers.get(owner);
    if (known != null || !owner.startsWith("java/")) {
      return known;
    }
    try (InputStream in = ClassLoader.getSystemResourceAsStream(owner + ".class")) {
      return in == null ? null : add(new ClassReader(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
