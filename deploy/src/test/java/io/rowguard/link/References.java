package io.rowguard.link;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** Collects what the classes of a jar ask of others. */
final class References {
  private final Set<Reference> found = new LinkedHashSet<>();

  private References() {}

  /** All references of all classes of a jar, in the order of their coming. */
  static Set<Reference> of(JarFile jar) throws IOException {
    References references = new References();
    for (JarEntry entry : Collections.list(jar.entries())) {
      if (entry.getName().endsWith(".class")) {
        try (InputStream in = jar.getInputStream(entry)) {
          ClassReader reader = new ClassReader(in);
          reader.accept(references.new Members(), ClassReader.SKIP_DEBUG);
          reader.accept(
              new ClassRemapper(new ClassWriter(0), references.new Types()),
              ClassReader.SKIP_DEBUG);
        }
      }
    }
    return references.found;
  }

  /** Every class that is named anywhere: a remapper is asked about each. */
  private final class Types extends Remapper {
    @Override
    public String map(String internalName) {
      found.add(Reference.toClass(internalName));
      return internalName;
    }
  }

  /** Methods and fields that are used. */
  private final class Members extends ClassVisitor {
    Members() {
      super(Opcodes.ASM9);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
          boolean isStatic = opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC;
          found.add(new Reference(owner, name, descriptor, isStatic));
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String name, String descriptor, boolean isInterface) {
          found.add(new Reference(owner, name, descriptor, opcode == Opcodes.INVOKESTATIC));
        }

        @Override
        public void visitInvokeDynamicInsn(
            String name, String descriptor, Handle bootstrap, Object... arguments) {
          for (Object argument : List.of(arguments)) {
            if (argument instanceof Handle handle) {
              boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC;
              found.add(
                  new Reference(handle.getOwner(), handle.getName(), handle.getDesc(), isStatic));
            }
          }
        }
      };
    }
  }
}
