// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <initializer_list>

class QDialog;
class QSplitter;

namespace idemdesk::ui {

QVBoxLayout *pageColumn(QWidget *page); ///< of a page, from its header down
QVBoxLayout *tabColumn(QWidget *tab); ///< of what stands in a tab of a page
QVBoxLayout *dialogColumn(QDialog *dialog);
QVBoxLayout *partColumn(QWidget *part); ///< of a part whose surroundings give it its margins
QVBoxLayout *lowerColumn(QWidget *part); ///< of a part below another one, which a splitter parts from it

/// Widgets beside each other; null leaves the room between two of them. Inside bar where one is given.
QHBoxLayout *barRow(std::initializer_list<QWidget *> widgets, QWidget *bar = nullptr);

/// Two parts that share the room, and neither of which can be pushed away. The shares are of what a larger window adds.
void splitInTwo(QSplitter *split, QWidget *first, QWidget *second, int firstShare = 1, int secondShare = 0);

} // namespace idemdesk::ui
